/** The sources of findings → their messages and fixes. */
import { globSync } from 'node:fs';
import type { Node } from './Node.ts';
import { SourceFile } from './SourceFile.ts';
import { SourceText } from './SourceText.ts';

/** The texts of one file: of one finding, or shared by several. */
export interface FoundTexts {
  file: string;
  messages: string[];
  fixes: string[];
}

/** The files in runtime/source that contain texts of findings, sorted. */
export function findingTexts(root: string): FoundTexts[] {
  const files = globSync('runtime/source/{findings,declarations,environment,syntax}/**/*.ts', { cwd: root });
  return files.toSorted().flatMap((file) => {
    const source = SourceFile.read(root, file);
    if (!/\b(?:message|problem|fix)\b/.test(source.text)) return [];
    const messages = [...values(source, 'message'), ...values(source, 'problem')];
    const fixes = values(source, 'fix');
    return messages.length + fixes.length > 0 ? [{ file, messages, fixes }] : [];
  });
}

/** The values of all properties with one name that are sentences. Two full stops are left by a value that is never empty there. */
function values(source: SourceFile, name: string): string[] {
  const reader = new SourceText(source);
  const texts = source
    .nodes('Property')
    .filter(({ node }) => node['key'].name === name)
    .flatMap(({ node, around }) => reader.textsOf(node['value'] as Node, around))
    .map(({ text }) => text);
  const isSentence = (text: string) => text.includes(' ') && !/^\{[^{}]*\}\.?$|\w\.\.$/.test(text);
  return [...new Set(texts)].filter(isSentence);
}
