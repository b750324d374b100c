/** The TypeScript sources → each error that they make: its code, its messages and its hints. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CODES } from '../../runtime/contract/errors.ts';
import { type Node, SourceText } from './SourceText.ts';

const ROOMS = ['runtime', 'server', 'client'];

/** One place that makes an error. */
export interface MadeError {
  file: string;
  /** Those of the table; empty when it passes on the code of another error. */
  codes: string[];
  messages: string[];
  hints: string[];
}

/** Every `new ToolkitError(…)`, in the order of the files. */
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

/** Without what is all filled in, such as the message of another error. */
function unique(texts: string[]): string[] {
  return [...new Set(texts)].filter((text) => !/^\{[^{}]*\}\.?$/.test(text));
}
