/** The TypeScript sources → every error that they create: its code, messages and hints. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CODES } from '../../runtime/contract/errors.ts';
import { type Node, SourceText } from './SourceText.ts';

const ROOMS = ['runtime', 'server', 'client'];

/** One place that creates an error. */
export interface MadeError {
  file: string;
  /** Known error codes; empty if it passes on the code of another error. */
  codes: string[];
  messages: string[];
  hints: string[];
}

/** Every `new ToolkitError(…)`, sorted by file. */
export function typescriptErrors(root: string): MadeError[] {
  const files = ROOMS.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: root })).toSorted();
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return text.includes('new ToolkitError(') ? errorsOf(new SourceText(file, text)) : [];
  });
}

function errorsOf(source: SourceText): MadeError[] {
  return source
    .nodes('NewExpression')
    .filter(({ node }) => node['callee'].name === 'ToolkitError')
    .map(({ node, around }) => {
      const [code, message, options] = node['arguments'] as Node[];
      return {
        file: source.file,
        codes: source.textsOf(code, around).filter((one) => Object.hasOwn(ERROR_CODES, one)),
        messages: unique(source.textsOf(message, around)),
        hints: unique(source.textsOf(hintOf(options), around)),
      };
    });
}

function hintOf(options: Node | undefined): Node | undefined {
  if (options?.type !== 'ObjectExpression') return undefined;
  return (options['properties'] as Node[]).find((one) => one['key']?.name === 'hint')?.['value'];
}

/** Distinct texts, without those that are only a filled-in value, such as another error's message. */
function unique(texts: string[]): string[] {
  return [...new Set(texts)].filter((text) => !/^\{[^{}]*\}\.?$/.test(text));
}
