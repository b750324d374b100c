/**
 * The bodies of decorated definitions → the names of their module that they read, where it matters which: names that
 * no worker has, and names of imported packages. Bodies in which no such word occurs are not entered.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { SDK_MODULE } from '../../contract/names.ts';
import { isStandardLibrary } from '../index/standardLibrary.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { FileFacts } from './FileFacts.ts';
import { type FreeName, freeNames } from './freeNames.ts';
import { type Absence, type ModuleName, moduleNames } from './moduleNames.ts';
import { textOf, values } from './readExpression.ts';

/** A name of the module that the body of a decorated definition reads; each path once, at its first place. */
export interface BodyRead {
  /** Index of the definition. */
  definition: number;
  /** The name, with the attributes that are read of it. */
  path: string[];
  /** The name's own place. */
  range: Range;
  /** Why no worker has the name, and where the text binds it or takes it away; null for an import's name. */
  absent: { by: Absence; range: Range } | null;
}

/** Without one of these words every name that a module binds is there afterwards. */
const MAY_LACK =
  /__main__|TYPE_CHECKING|^del\b|\bexcept\b[^:\n]*\bas\b|\bexit\b|\babort\b|\bquit\b|^raise\b/m;
/** Code that binds names in ways that no text tells. */
const BINDS_UNSEEN = /\b(?:globals|exec)\s*\(|\bvars\s*\(\s*\)|\bsys\s*\.\s*modules\b/;

/** Reads a file whose other facts are there. */
export function bodyReads(root: SyntaxNode, text: string, facts: FileFacts): BodyRead[] {
  if (facts.definitions.every(({ decorators }) => decorators.length === 0)) return [];
  const absent = absentNames(root, text, facts);
  const imported = importedNames(facts);
  const names = new Set([...absent.keys(), ...imported].filter((name) => /^\w+$/u.test(name)));
  if (names.size === 0) return [];
  const words = new RegExp(String.raw`(?<![\w.])(?:${[...names].join('|')})(?!\w)`, 'u');
  return decoratedBodies(root, 0).flatMap((node) => {
    const name = node.childForFieldName('name')?.startPosition;
    const definition = facts.definitions.findIndex(
      ({ nameRange: { start } }) => start.line === name?.row && start.character === name.column,
    );
    if (definition === -1 || !words.test(textOf(node, text))) return [];
    return readsOf(node, text)
      .filter(({ path }) => names.has(path[0]!))
      .map(({ path, range }) => ({ definition, path, range, absent: absent.get(path[0]!) ?? null }));
  });
}

/** Names that the module's text binds and no worker has when it calls a function, with the place that says so. */
function absentNames(root: SyntaxNode, text: string, facts: FileFacts): Map<string, BodyRead['absent']> {
  const absent = new Map<string, BodyRead['absent']>();
  if (!MAY_LACK.test(text) || BINDS_UNSEEN.test(text)) return absent;
  const bound = new Map<string, ModuleName[]>();
  for (const place of moduleNames(root, text, facts.exit?.range ?? null)) {
    bound.set(place.name, [...(bound.get(place.name) ?? []), place]);
  }
  for (const [name, places] of bound) {
    const lacking = absenceOf(places);
    if (lacking?.absence) absent.set(name, { by: lacking.absence, range: lacking.range });
  }
  // A star import may bind any of them.
  const isOpen = facts.imports.some(
    ({ names, scope, guard }) =>
      scope === 0 && names?.[0] === '*' && guard !== 'main' && guard !== 'type-checking',
  );
  return isOpen ? new Map() : absent;
}

/** The place that a finding names: the last `del`, or the first of bindings that are all lost. */
function absenceOf(places: readonly ModuleName[]): ModuleName | null {
  const last = places.findLast(({ absence }) => absence === null || absence === 'deleted');
  if (last?.absence === null) return null;
  return last ?? places[0] ?? null;
}

/** Names that imports of the module itself bind, but for those of Python's own modules. */
function importedNames({ scopes }: FileFacts): string[] {
  return Object.entries(scopes[0]!.bindings).flatMap(([name, bindings]) =>
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
  return values(node).flatMap((child) => {
    if (child.type === 'decorated_definition') {
      const definition = child.childForFieldName('definition');
      return definition ? [definition, ...classBody(definition, depth)] : [];
    }
    if (child.type === 'class_definition') return classBody(child, depth);
    return /(?:if|try|with|for|while|match)_statement|_clause|^block$/.test(child.type)
      ? decoratedBodies(child, depth + 1)
      : [];
  });
}

function classBody(definition: SyntaxNode, depth: number): SyntaxNode[] {
  const body = definition.type === 'class_definition' ? definition.childForFieldName('body') : null;
  return body ? decoratedBodies(body, depth + 1) : [];
}

/** The first read of each path; of a class, in any of its methods. */
function readsOf(node: SyntaxNode, text: string) {
  const functions = node.type === 'class_definition' ? methods(node, 0) : [node];
  const first = new Map<string, FreeName>();
  for (const read of functions.flatMap((one) => freeNames(one, text))) {
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
