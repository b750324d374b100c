/**
 * A parsed segment and the names whose uses count → calls outside declarations that may declare an endpoint
 * or a route, uses of what may be the class or an instance as a value, module-level names that served bodies
 * read, and names whose values are changed by functions.
 */
import { ROUTE_VERBS } from '../../contract/endpoint.ts';
import { SDK_MODULE } from '../../contract/names.ts';
import type { ParsedSegment } from '../syntax/ParsedSegment.ts';
import { placeKey, rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { BoundSegment, SegmentUses } from './BoundSegment.ts';
import type { Call } from './Expression.ts';
import type { ClassUse } from './FileFacts.ts';
import { isGlobal, type LexicalScope, scopesAround } from './LexicalScope.ts';
import type { DefinitionSite, NameUse } from './NameUse.ts';
import { NameWalk } from './NameWalk.ts';
import { isRun, reachOf } from './reach.ts';
import { readCall } from './readExpression.ts';
import { mayMatter, ScopeNumbers } from './ScopeNumbers.ts';
import type { WordPlaces } from './WordPlaces.ts';
import type { Wanted } from './wantedNames.ts';

const CLASS = 'Endpoint';
const VERBS: ReadonlySet<string> = new Set(ROUTE_VERBS);
/** Functions that find the package or the class by a string, and the module that contains one of them. */
const IMPORTERS: ReadonlySet<string> = new Set(['import_module', '__import__']);
const LOOKUPS: ReadonlySet<string> = new Set([...IMPORTERS, 'getattr', 'importlib']);

/** Reads the uses in a segment. Lines in the result are lines of the parsed text. */
export function readUses(
  { nodes, source, row }: ParsedSegment,
  words: WordPlaces,
  bound: BoundSegment,
  wanted: ReadonlyMap<string, Wanted>,
): SegmentUses {
  const uses: SegmentUses = {
    looseCalls: [],
    looseRoutes: [],
    classUses: [],
    reads: [],
    loads: [],
    changes: [],
  };
  const walk = new NameWalk(source, { words, bindings: 'wanted' });
  walk.statements(nodes);
  const numbers = definitionNumbers(walk, bound, row);
  const scopes = new ScopeNumbers(
    [...numbers].map(([{ body }, number]) => [body, bound.definitions[number]!.body]),
  );
  for (const use of walk.uses) {
    const { name, role, path, call, whole, flow, heldBy } = use;
    if (role === 'mutated' && use.scope.parent && isGlobal(use)) uses.changes.push(name);
    const leads = wanted.get(name)?.leads ?? false;
    if (role !== 'read' || !path || flow.annotation || !(leads || LOOKUPS.has(name))) continue;
    const place = { scope: scopes.around(use.scope), ...reachOf(flow) };
    // The facts leave out some bodies. A name in such a body cannot be looked up, so it does not hold the
    // value.
    const isHeld = heldBy === 'decorator' || (heldBy === 'name' && !isLeftOut(use.scope, source));
    const read = call && readCall(call, source);
    const last = path.at(-1)!;
    const inLambda = isInLambda(use.scope);
    const isReturned = heldBy === 'return';
    if (read && leads && !isHeld && (last === CLASS || path.length === 1))
      uses.looseCalls.push({
        call: read,
        ...(isReturned && { isReturned }),
        ...(inLambda && { isInLambda: true }),
        ...place,
      });
    const leaves = isReturned && !inLambda;
    if (read && leads && heldBy !== 'decorator' && isRoute(read, call, source, leaves))
      uses.looseRoutes.push({ call: read, ...(leaves && { isReturned }), scope: place.scope });
    if (!call && leads && !isHeld && use.handedOn && (path.length === 1 || last === CLASS))
      uses.classUses.push({ path, by: 'value', range: rangeOf(whole), ...place });
    if (!call && leads && (heldBy === 'name' || use.handedOn) && path.length > 1 && VERBS.has(last))
      uses.classUses.push({ path: path.slice(0, -1), by: 'route', range: rangeOf(whole), ...place });
    if (read && LOOKUPS.has(name))
      uses.classUses.push(...lookUp(read).map((found) => ({ ...found, ...place })));
  }
  uses.reads = bodyReads(walk.uses, numbers, bound, wanted);
  uses.loads = [...new Set(walk.uses.filter((use) => isLoad(use, wanted)).map(({ name }) => name))];
  return uses;
}

/**
 * The walked definitions → their numbers in the segment. The walk skips definitions that contain none of the
 * words.
 */
function definitionNumbers(
  { definitions }: NameWalk,
  { at, definitions: all }: BoundSegment,
  row: number,
): Map<DefinitionSite, number> {
  const byPlace = new Map(all.map(({ nameRange }, number) => [placeKey(nameRange.start), number]));
  return new Map(
    definitions.flatMap((site): [DefinitionSite, number][] => {
      if (!site.name) return [];
      const { line, character } = rangeOf(site.name).start;
      const number = byPlace.get(placeKey({ line: line - row + at.line, character }));
      return number === undefined ? [] : [[site, number]];
    }),
  );
}

/** The words to search for in a segment. */
export function wordsOf(wanted: ReadonlyMap<string, Wanted>): ReadonlySet<string> {
  return new Set([...wanted.keys(), ...LOOKUPS]);
}

/** `getattr(toolkit_sdk, "Endpoint")`, `getattr(api, "get")`, `importlib.import_module("toolkit_sdk")`. */
function lookUp({
  range,
  callee,
  arguments: [first, second],
}: Call): Pick<ClassUse, 'path' | 'by' | 'range'>[] {
  if (!first) return [];
  if (callee.join('.') === 'getattr') {
    if (first.value.kind !== 'reference' || !second) return [];
    const { path } = first.value;
    const text = second.value.kind === 'string' ? second.value.value : null;
    if (text === CLASS) return [{ by: 'getattr', path, range }];
    return text === null || VERBS.has(text) ? [{ by: 'route', path, range }] : [];
  }
  const isImport =
    IMPORTERS.has(callee.at(-1)!) && first.value.kind === 'string' && first.value.value === SDK_MODULE;
  return isImport ? [{ by: 'import', path: [], range }] : [];
}

/**
 * Whether a call may add a route: its first argument is a string, or its result is called or returned.
 * `d.get(key)` is not a route.
 */
function isRoute(
  { callee, arguments: [first] }: Call,
  call: SyntaxNode,
  text: string,
  isReturned: boolean,
): boolean {
  if (callee.length === 1 || !VERBS.has(callee.at(-1)!)) return false;
  if (isReturned || first?.value.kind === 'string' || first?.value.kind === 'concatenation') return true;
  return /^\s*\(/.test(text.slice(call.endIndex, call.endIndex + 80));
}

function isInLambda(scope: LexicalScope): boolean {
  return scopesAround(scope).some(({ node }) => node?.type === 'lambda');
}

function isLeftOut(scope: LexicalScope, text: string): boolean {
  return scopesAround(scope).some(
    ({ node }) => node?.type === 'function_definition' && !mayMatter(node, text),
  );
}

/**
 * The names that decorated definitions of the module and its classes read. Each path is listed once, at the
 * first use that is not in a `try` that catches a missing name. For a class, these are the names that its
 * methods read. Definitions inside functions are not served.
 */
function bodyReads(
  uses: readonly NameUse[],
  numbers: ReadonlyMap<DefinitionSite, number>,
  { at }: BoundSegment,
  wanted: ReadonlyMap<string, Wanted>,
): SegmentUses['reads'] {
  return [...numbers].flatMap(([site, number]) => {
    if (site.decorators.length === 0 || isInFunction(site.scope)) return [];
    const own = uses.filter((use) => isRead(use, site));
    const broken = new Set(own.filter(({ flow }) => flow.broken).map(({ name }) => name));
    const first = new Map<string, NameUse>();
    for (const use of own.sort((a, b) => a.node.startIndex - b.node.startIndex)) {
      const key = use.path!.join('.');
      const counts = wanted.get(use.name)?.isRead && !use.flow.foreseen && !broken.has(use.name);
      if (counts && !first.has(key)) first.set(key, use);
    }
    return [...first.values()].map(({ path, node }) => ({
      definition: at.definitions + number,
      path: path!,
      range: rangeOf(node),
    }));
  });
}

/** Whether a use reads a module-level name when the body of a definition runs. */
function isRead(use: NameUse, { node, body }: DefinitionSite): boolean {
  const { role, path, scope, flow } = use;
  const around = scopesAround(scope);
  const inside = around.indexOf(body);
  if (role !== 'read' || !path || flow.annotation || inside === -1) return false;
  if (!isRun(flow.guard)) return false;
  // The statements in a class body run with the module.
  const runsLater = node.type === 'function_definition' || isInFunction(scope, body);
  return runsLater && isGlobal(use);
}

/** Whether a use reads one of the imported names while the module is loaded. */
function isLoad(use: NameUse, wanted: ReadonlyMap<string, Wanted>): boolean {
  const { role, name, scope, flow } = use;
  const isWanted = role === 'read' && wanted.get(name)?.isRead;
  return Boolean(isWanted) && isRun(flow.guard) && !isInFunction(scope) && isGlobal(use);
}

/** Whether a scope is inside a function, or inside a function within `outer`. */
function isInFunction(scope: LexicalScope, outer: LexicalScope | null = null): boolean {
  const around = scopesAround(scope);
  const end = outer ? around.indexOf(outer) : around.length;
  return around.slice(0, end).some(({ node }) => node?.type === 'function_definition');
}
