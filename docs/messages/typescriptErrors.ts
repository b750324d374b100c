/** The TypeScript sources → every error that they create: its program, code, messages and hints. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CODES } from '../../runtime/contract/errors.ts';
import type { Node } from './Node.ts';
import { SourceText } from './SourceText.ts';

const ROOMS = ['runtime', 'server', 'client'];

/** Which program's sources a file belongs to; the longest matching folder wins. */
const PROGRAMS: readonly [folder: string, program: string][] = [
  ['client/', 'editor'],
  ['server/', 'editor'],
  ['runtime/cli/', 'CLI'],
  ['runtime/dev/', 'dev'],
  ['runtime/platform/', 'platform'],
  ['runtime/source/references/', 'editor'],
];

/** One place that creates an error. */
export interface MadeError {
  file: string;
  /** The program that prints the message; null for code that several programs share. */
  program: string | null;
  /** Known error codes; empty if it passes on the code of another error. */
  codes: string[];
  messages: string[];
  hints: string[];
}

/** The expressions of an error: its code, message and hint. */
type Parts = [code: Node | undefined, message: Node | undefined, hint: Node | undefined];

/** Every error in the sources, sorted by file. */
export function typescriptErrors(root: string): MadeError[] {
  const files = ROOMS.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: root })).toSorted();
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return /ToolkitError|NODE_TOO_OLD/.test(text) ? errorsOf(new SourceText(root, file)) : [];
  });
}

function errorsOf(source: SourceText): MadeError[] {
  const program = PROGRAMS.find(([folder]) => source.file.startsWith(folder))?.[1] ?? null;
  return ['NewExpression', 'CallExpression', 'ArrayExpression', 'ObjectExpression']
    .flatMap((type) => source.nodes(type))
    .toSorted((one, other) => one.node.start - other.node.start)
    .flatMap(({ node, around }) => {
      const parts = partsOf(node, around);
      if (!parts) return [];
      const [code, message, hint] = parts;
      const codes = source.textsOf(code, around).filter((one) => Object.hasOwn(ERROR_CODES, one));
      // Lists and objects without a code are something else.
      if (codes.length === 0 && node.type !== 'NewExpression') return [];
      const messages = unique(source.textsOf(message, around));
      const hints = unique(source.textsOf(hint, around));
      return [{ file: source.file, program, codes, messages, hints }];
    });
}

/**
 * The parts of `new ToolkitError(code, message, { hint })`, of `super(…)` in a subclass, of a tuple `[code, message,
 * hint]`, and of an object `{ code, message, hint }`; null for any other expression.
 */
function partsOf(node: Node, around: Node[]): Parts | null {
  if (node.type === 'ObjectExpression') {
    const [code, message] = [valueOf(node, 'code'), valueOf(node, 'message')];
    return code && message ? [code, message, valueOf(node, 'hint')] : null;
  }
  if (node.type === 'ArrayExpression') {
    const [code, message, hint] = node['elements'] as Node[];
    const isList = Object.hasOwn(ERROR_CODES, message?.['value'] ?? '');
    return code?.type === 'Literal' && message && !isList ? [code, message, hint] : null;
  }
  const isError =
    node['callee'].type === 'Super'
      ? around.some((one) => one['superClass']?.name === 'ToolkitError')
      : node.type === 'NewExpression' && node['callee'].name === 'ToolkitError';
  const [code, message, options] = node['arguments'] as Node[];
  return isError ? [code, message, valueOf(options, 'hint')] : null;
}

/** The value of a property of an object. */
function valueOf(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== 'ObjectExpression') return undefined;
  return (object['properties'] as Node[]).find((one) => one['key']?.name === name)?.['value'];
}

/** Distinct texts, without those that are only filled-in values, such as another error's message. */
function unique(texts: string[]): string[] {
  return [...new Set(texts)].filter((text) => !/^[\s.]*$/.test(text.replaceAll(/\{[^{}]*\}/g, '')));
}
