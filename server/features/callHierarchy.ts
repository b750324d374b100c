/** Call hierarchy between endpoints: calls to a peer's function from the body of an endpoint's function. */
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CallHierarchyPrepareParams,
  Position,
} from 'vscode-languageserver';
import type { Range } from '../../runtime/contract/diagnostic.ts';
import { effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { type BoundName, isSameName } from '../../runtime/source/references/BoundName.ts';
import { findUses, usesWithin } from '../../runtime/source/references/findUses.ts';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { takeTurns } from '../../runtime/source/steps.ts';
import { includes, placeKey } from '../../runtime/source/syntax/range.ts';
import {
  currentPlaceOf,
  routeOf,
  type ServedNode,
  servedNodes,
  statementsOf,
  symbolOf,
} from './endpointNodes.ts';
import type { DocumentContext } from './feature.ts';

/** The context of a search for calls. An item contains its own file. */
type HierarchyContext = Omit<DocumentContext, 'document' | 'client'>;

/** The functions of the endpoint at a position; null if there is none. */
export function prepareCallHierarchy(
  context: DocumentContext,
  { position }: CallHierarchyPrepareParams,
): CallHierarchyItem[] | null {
  const { project, document } = context;
  const target = targetAt(project, document.file, position);
  const all = functionsOf(project.index);
  const meant = target
    ? all.filter(({ declaration }) => target.declarations.includes(declaration))
    : around(project, all, document.file, position);
  const origin = target?.kind === 'symbol' ? target.origin : null;
  const named = meant.filter((one) => origin && isSameName(nameOf(one), origin));
  const items = named.length > 0 ? named : meant;
  return items.length > 0 ? items.map((one) => itemOf(context, one)) : null;
}

/** Functions of endpoints that call the item's function. */
export async function incomingCalls(
  context: HierarchyContext,
  item: CallHierarchyItem,
): Promise<CallHierarchyIncomingCall[]> {
  const { project, signal } = context;
  const served = functionsOf(project.index);
  const called = served.find(({ id }) => id === item.data);
  if (!called) return [];
  const uses = await findUses(project, nameOf(called), 'thing', signal);
  const calls: CallHierarchyIncomingCall[] = [];
  for (const [file, found] of Map.groupBy(uses, (use) => use.file)) {
    const ranges = found
      .map(({ range }) => range)
      .filter((range) => isCall(project.textOf(file) ?? '', range));
    const byCaller = Map.groupBy(ranges, ({ start }) => around(project, served, file, start).at(-1));
    for (const [caller, fromRanges] of byCaller) {
      if (caller && caller !== called) calls.push({ from: itemOf(context, caller), fromRanges });
    }
  }
  return calls;
}

/** Functions of endpoints that the item's body calls. Reads the text of no other file. */
export async function outgoingCalls(
  context: HierarchyContext,
  item: CallHierarchyItem,
): Promise<CallHierarchyOutgoingCall[]> {
  const { project, signal } = context;
  const served = functionsOf(project.index);
  const caller = served.find(({ id }) => id === item.data);
  if (!caller) return [];
  const own = currentPlaceOf(project, caller).range;
  const text = project.textOf(caller.file) ?? '';
  const calls: CallHierarchyOutgoingCall[] = [];
  for (const peer of served) {
    if (peer === caller) continue;
    const uses = await takeTurns(usesWithin(project, caller.file, nameOf(peer), 'all'), signal);
    const fromRanges = uses
      .map(({ range }) => range)
      .filter((range) => includes(own, range.start) && isCall(text, range));
    if (fromRanges.length > 0) calls.push({ to: itemOf(context, peer), fromRanges });
  }
  return calls;
}

/** Each function once, with the first declaration that serves it. */
function functionsOf(index: ProjectIndex): ServedNode[] {
  const byDefinition = Map.groupBy(servedNodes(index), ({ served }) => served.definition);
  return [...byDefinition.values()].map(([first]) => first!);
}

/** The item contains the node's id, which the editor sends back, because an edit can move the function. */
function itemOf({ project, uriOf }: HierarchyContext, node: ServedNode): CallHierarchyItem {
  const route = routeOf(node);
  const detail = [effectiveName(node.declaration), route && `${route.method} ${route.path}`];
  return {
    ...symbolOf(node),
    detail: detail.filter((part) => part !== null).join(' · '),
    uri: uriOf(node.file),
    range: currentPlaceOf(project, node).range,
    selectionRange: node.served.definition.nameRange,
    data: node.id,
  };
}

/** The functions that contain a position, innermost last. */
function around(
  project: ProjectView,
  served: readonly ServedNode[],
  file: string,
  place: Position,
): readonly ServedNode[] {
  const here = served.filter((one) => one.file === file);
  const statements = statementsOf(project, file, here);
  return here
    .filter(({ start }) => {
      const statement = statements.get(placeKey(start));
      return statement && includes(statement.range, place);
    })
    .toSorted((a, b) => a.start.line - b.start.line);
}

function nameOf({ file, served: { definition } }: ServedNode): BoundName {
  return { file, scope: definition.scope, name: definition.name };
}

/** Whether the expression at a range is called. */
function isCall(text: string, { end }: Range): boolean {
  const line = text.split('\n', end.line + 1)[end.line] ?? '';
  return /^[ \t]*\(/.test(line.slice(end.character));
}
