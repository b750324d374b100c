/** The TypeScript sources → every error that they create: its program, code, messages and hints. */
import { globSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ERROR_CODES } from '../../runtime/contract/errors.ts';
import type { Node } from './Node.ts';
import { SourceFile } from './SourceFile.ts';
import { SourceText } from './SourceText.ts';
import { areCompatible, type Variant } from './Variant.ts';

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
    const source = SourceFile.read(root, file);
    return /ToolkitError|NODE_TOO_OLD/.test(source.text) ? errorsOf(source) : [];
  });
}

function errorsOf(source: SourceFile): MadeError[] {
  const reader = new SourceText(source);
  const program = PROGRAMS.find(([folder]) => source.file.startsWith(folder))?.[1] ?? null;
  return ['NewExpression', 'CallExpression', 'ArrayExpression', 'ObjectExpression']
    .flatMap((type) => source.nodes(type))
    .toSorted((one, other) => one.node.start - other.node.start)
    .flatMap(({ node, around }) => {
      const parts = partsOf(node, around);
      if (!parts) return [];
      const [code, message, hint] = parts;
      const codes = [...new Set(reader.textsOf(code, around).map(({ text }) => text))].filter((one) =>
        Object.hasOwn(ERROR_CODES, one),
      );
      // Lists and objects without a code are something else.
      if (codes.length === 0 && node.type !== 'NewExpression') return [];
      return withHints(reader.textsOf(message, around), reader.textsOf(hint, around)).map((texts) => ({
        file: source.file,
        program,
        codes,
        ...texts,
      }));
    });
}

/** Each message with the hints that it can have, in groups of neighbors with the same hints. */
function withHints(messages: Variant[], hints: Variant[]): Pick<MadeError, 'messages' | 'hints'>[] {
  const found: Pick<MadeError, 'messages' | 'hints'>[] = [];
  for (const message of unique(messages.map(({ text }) => text))) {
    const made = messages.filter(({ text }) => text === message);
    const own = hints.filter((hint) => made.some((one) => areCompatible(one, hint)));
    const texts = unique(own.map(({ text }) => text));
    if (isDeepStrictEqual(found.at(-1)?.hints, texts)) found.at(-1)!.messages.push(message);
    else found.push({ messages: [message], hints: texts });
  }
  return found.length > 0 ? found : [{ messages: [], hints: unique(hints.map(({ text }) => text)) }];
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
