/** Calls between endpoints: which functions of endpoints call a peer's function from their bodies. */
import {
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  type Position,
  SymbolKind,
} from 'vscode-languageserver';
import type { Range } from '../../runtime/contract/diagnostic.ts';
import {
  type Declaration,
  effectiveName,
  type ServedDefinition,
} from '../../runtime/source/declarations/Declaration.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { findUses, usesWithin } from '../../runtime/source/references/findUses.ts';
import type { Slot } from '../../runtime/source/references/Slot.ts';
import { placeKey, statementsAt } from '../../runtime/source/references/statementsAt.ts';
import { includes, targetAt } from '../../runtime/source/references/targetAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { fallbackStatement } from './endpointNodes.ts';
import type { PlaceContext } from './feature.ts';

/** A function or class that endpoints serve. */
interface Served extends ServedDefinition {
  declaration: Declaration;
}

/** What an editor hands back with an item. */
interface ItemData {
  file: string;
  name: string;
}

/** What the calls of an item are looked for in; an item names its own file. */
type HierarchyContext = Omit<PlaceContext, 'document' | 'client'>;

/** The functions of the endpoint at a position; null where none stands. */
export function prepareCallHierarchy(context: PlaceContext, position: Position): CallHierarchyItem[] | null {
  const { project, document } = context;
  const target = targetAt(project, document.file, position);
  const all = servedOf(project.index);
  const meant = target
    ? all.filter(({ declaration }) => target.declarations.includes(declaration))
    : around(project, all, document.file, position);
  const isFunction = (one: Served) =>
    target?.kind === 'symbol' &&
    one.file === target.origin.file &&
    one.definition.name === target.origin.name &&
    one.definition.scope === target.origin.scope;
  const named = meant.filter(isFunction);
  const items = named.length > 0 ? named : meant;
  return items.length > 0 ? items.map((one) => itemOf(context, one)) : null;
}

/** Functions of endpoints that call the item's. */
export async function incomingCalls(
  context: HierarchyContext,
  item: CallHierarchyItem,
): Promise<CallHierarchyIncomingCall[]> {
  const { project, signal } = context;
  const served = servedOf(project.index);
  const called = find(served, item);
  if (!called) return [];
  const uses = await findUses(project, slotOf(called), 'thing', signal);
  const calls: CallHierarchyIncomingCall[] = [];
  for (const [file, found] of Map.groupBy(uses, (use) => use.file)) {
    const ranges = found
      .map(({ range }) => range)
      .filter((range) => isCall(project.textOf(file) ?? '', range));
    const byCaller = Map.groupBy(ranges, ({ start }) => around(project, served, file, start).at(-1));
    for (const [caller, fromRanges] of byCaller) {
      if (caller && !isSame(caller, called)) calls.push({ from: itemOf(context, caller), fromRanges });
    }
  }
  return calls;
}

/** Functions of endpoints that the item's body calls; no other file's text is read. */
export function outgoingCalls(
  context: HierarchyContext,
  item: CallHierarchyItem,
): CallHierarchyOutgoingCall[] {
  const { project } = context;
  const served = servedOf(project.index);
  const caller = find(served, item);
  if (!caller) return [];
  const own = rangeOf(project, caller);
  const text = project.textOf(caller.file) ?? '';
  return served
    .filter((peer) => !isSame(peer, caller))
    .flatMap((peer): CallHierarchyOutgoingCall[] => {
      const fromRanges = usesWithin(project, caller.file, slotOf(peer), 'all')
        .map(({ range }) => range)
        .filter((range) => includes(own, range.start) && isCall(text, range));
      return fromRanges.length > 0 ? [{ to: itemOf(context, peer), fromRanges }] : [];
    });
}

/** Each function once, with the declaration that it is named by. */
function servedOf({ declarations }: ProjectIndex): Served[] {
  const all = new Map<ServedDefinition['definition'], Served>();
  for (const declaration of declarations) {
    for (const { file, definition } of [...declaration.served, ...declaration.routes]) {
      if (!all.has(definition)) all.set(definition, { file, definition, declaration });
    }
  }
  return [...all.values()];
}

function itemOf({ project, uriOf }: HierarchyContext, served: Served): CallHierarchyItem {
  const { file, definition, declaration } = served;
  const route = declaration.routes.find((one) => one.definition === definition);
  const path = route?.path.state === 'known' ? `${route.method} ${route.path.value}` : null;
  const data: ItemData = { file, name: definition.name };
  return {
    name: definition.name,
    detail: [effectiveName(declaration), path].filter((part) => part !== null).join(' · '),
    kind: definition.kind === 'class' ? SymbolKind.Class : SymbolKind.Function,
    uri: uriOf(file),
    range: rangeOf(project, served),
    selectionRange: definition.nameRange,
    data,
  };
}

/** The item's function as it is now: an edit may have moved it. */
function find(served: readonly Served[], { data }: CallHierarchyItem): Served | null {
  const { file, name } = data as ItemData;
  return served.find((one) => one.file === file && one.definition.name === name) ?? null;
}

/** The functions that a place of a file stands in, the innermost last. */
function around(
  project: ProjectView,
  served: readonly Served[],
  file: string,
  place: Position,
): readonly Served[] {
  const here = served.filter((one) => one.file === file);
  const starts = here.map(({ definition }) => definition.nameRange.start);
  const found = project.withTree(file, (root) => statementsAt(root, starts));
  return here
    .filter((one) => {
      const statement = found?.get(placeKey(one.definition.nameRange.start));
      return statement && includes(statement.range, place);
    })
    .toSorted((a, b) => a.definition.line - b.definition.line);
}

function rangeOf(project: ProjectView, served: Served): Range {
  const { start } = served.definition.nameRange;
  const found = project.withTree(served.file, (root) => statementsAt(root, [start]));
  return (found?.get(placeKey(start)) ?? fallbackStatement(served)).range;
}

function slotOf({ file, definition }: Served): Slot {
  return { file, scope: definition.scope, name: definition.name };
}

function isSame(a: Served, b: Served): boolean {
  return a.definition === b.definition;
}

/** Whether what stands at a range is called. */
function isCall(text: string, { end }: Range): boolean {
  const line = text.split('\n', end.line + 1)[end.line] ?? '';
  return /^[ \t]*\(/.test(line.slice(end.character));
}
