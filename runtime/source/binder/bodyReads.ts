/**
 * The bodies of decorated definitions → the names of their module that they read, where it matters which: names that
 * no worker has, and names of imported packages. Bodies in which no such word occurs are not entered.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import { isStandardLibrary } from '../declarations/standardLibrary.ts';
import type { ParsedSegment } from '../syntax/ParsedSegment.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { BodyRead, FileFacts, Import, Scope } from './FileFacts.ts';
import type { Fragment } from './Fragment.ts';
import { type FreeName, freeNames } from './freeNames.ts';
import { type ModuleName, type ModuleNames, moduleNames } from './moduleNames.ts';
import { movedRange } from './range.ts';
import { textOf, values } from './readExpression.ts';

/** Without one of these words every name that a module binds is there afterwards. */
const MAY_LACK =
  /__main__|TYPE_CHECKING|^del\b|\bexcept\b[^:\n]*\bas\b|\bexit\b|\babort\b|\bquit\b|^raise\b/m;
/** Code that binds names in ways that no text tells. */
const BINDS_UNSEEN = /\b(?:globals|exec)\s*\(|\bvars\s*\(\s*\)|\bsys\s*\.\s*modules\b/;

/** What a segment says that decides which names no worker has. */
export interface BodyText {
  names: ModuleNames;
  mayLack: boolean;
  bindsUnseen: boolean;
  /** What its decorated definitions read, of the names that matter now. */
  reads: Omit<BodyRead, 'absent'>[];
}

/** Reads all of it but what depends on which names matter. */
export function readBodyText(parsed: ParsedSegment, exit: FileFacts['exit']): BodyText {
  const { text } = parsed;
  return {
    names: moduleNames(parsed, exit?.range ?? null),
    mayLack: MAY_LACK.test(text),
    bindsUnseen: BINDS_UNSEEN.test(text),
    reads: [],
  };
}

/**
 * What the decorated definitions of a segment read of some names; each path once, at its first place.
 *
 * @param line - Line of the file that the parsed text's first row is.
 */
export function bodyReads(
  { nodes, source }: ParsedSegment,
  { definitions, at }: Pick<Fragment, 'definitions' | 'at'>,
  line: number,
  names: ReadonlySet<string>,
): BodyText['reads'] {
  if (names.size === 0) return [];
  const words = wordsOf(names);
  return nodes
    .flatMap((statement) => decoratedBody(statement, 0))
    .flatMap((node) => {
      const name = node.childForFieldName('name')?.startPosition;
      const index = definitions.findIndex(
        ({ nameRange: { start } }) =>
          name && start.line === name.row + line && start.character === name.column,
      );
      if (index === -1 || !words.test(textOf(node, source))) return [];
      return readsOf(node, source)
        .filter(({ path }) => names.has(path[0]!))
        .map(({ path, range }) => ({
          definition: at.definitions + index,
          path,
          range: movedRange(range, line),
        }));
    });
}

/** Finds any of some names. */
export function wordsOf(names: Iterable<string>): RegExp {
  return new RegExp(String.raw`(?<![\w.])(?:${[...names].join('|')})(?!\w)`, 'u');
}

/** Names whose reads matter: those that no worker has, and those of imported packages. */
export function namesThatMatter(absent: ReadonlyMap<string, unknown>, module: Scope): Set<string> {
  return new Set([...absent.keys(), ...importedNames(module)].filter((name) => /^\w+$/u.test(name)));
}

/**
 * Names that the module's text binds and no worker has when it calls a function, with the place that says so.
 *
 * @param texts - Of the file's segments, in order.
 * @param imports - Of the file.
 */
export function absentNames(
  texts: readonly BodyText[],
  imports: readonly Import[],
): Map<string, BodyRead['absent']> {
  const absent = new Map<string, BodyRead['absent']>();
  if (!texts.some(({ mayLack }) => mayLack) || texts.some(({ bindsUnseen }) => bindsUnseen)) return absent;
  // A star import may bind any of them.
  const isOpen = imports.some(
    ({ names, scope, guard }) =>
      scope === 0 && names?.[0] === '*' && guard !== 'main' && guard !== 'type-checking',
  );
  if (isOpen) return absent;
  const lacking = texts.flatMap(({ names }) => names.found.filter(({ absence }) => absence !== null));
  const bound = new Map(lacking.map(({ name }): [string, ModuleName[]] => [name, []]));
  for (const { names } of texts) for (const place of names.found) bound.get(place.name)?.push(place);
  for (const { names } of texts) for (const place of names.global) bound.get(place.name)?.push(place);
  for (const [name, places] of bound) {
    const lack = absenceOf(places);
    if (lack?.absence) absent.set(name, { by: lack.absence, range: lack.range });
  }
  return absent;
}

/** The place that a finding names: the last `del`, or the first of bindings that are all lost. */
function absenceOf(places: readonly ModuleName[]): ModuleName | null {
  const last = places.findLast(({ absence }) => absence === null || absence === 'deleted');
  if (last?.absence === null) return null;
  return last ?? places[0] ?? null;
}

/** Names that imports of the module itself bind, but for those of Python's own modules. */
function importedNames({ bindings: module }: Scope): string[] {
  return Object.entries(module).flatMap(([name, bindings]) =>
    bindings.some((binding) => {
      if (binding.kind !== 'module' && binding.kind !== 'member') return false;
      const { folder, module } = binding.target;
      return folder !== null || !(isStandardLibrary(module) || module.split('.', 1)[0] === SDK_MODULE);
    })
      ? [name]
      : [],
  );
}

/** Definitions with decorators that stand in the module, in its blocks or in classes; those of functions are not served. */
function decoratedBodies(node: SyntaxNode, depth: number): SyntaxNode[] {
  if (depth > 100) return [];
  return values(node).flatMap((child) => decoratedBody(child, depth));
}

function decoratedBody(node: SyntaxNode, depth: number): SyntaxNode[] {
  if (node.type === 'decorated_definition') {
    const definition = node.childForFieldName('definition');
    return definition ? [definition, ...classBody(definition, depth)] : [];
  }
  if (node.type === 'class_definition') return classBody(node, depth);
  return /(?:if|try|with|for|while|match)_statement|_clause|^block$/.test(node.type)
    ? decoratedBodies(node, depth + 1)
    : [];
}

function classBody(definition: SyntaxNode, depth: number): SyntaxNode[] {
  const body = definition.type === 'class_definition' ? definition.childForFieldName('body') : null;
  return body ? decoratedBodies(body, depth + 1) : [];
}

/** The first read of each path whose failure nobody foresees; of a class, in any of its methods. */
function readsOf(node: SyntaxNode, text: string) {
  const functions = node.type === 'class_definition' ? methods(node, 0) : [node];
  const first = new Map<string, FreeName>();
  for (const read of functions.flatMap((one) => freeNames(one, text)).filter(({ foreseen }) => !foreseen)) {
    const key = read.path.join('.');
    if (!first.has(key)) first.set(key, read);
  }
  return [...first.values()];
}

function methods(node: SyntaxNode, depth: number): SyntaxNode[] {
  if (depth > 100) return [];
  return values(node).flatMap((child) => {
    if (child.type === 'function_definition') return [child];
    return /(?:if|try|with)_statement|_clause|^block$|_definition$/.test(child.type)
      ? methods(child, depth + 1)
      : [];
  });
}
