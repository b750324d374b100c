/** A project's index → its endpoints, functions and routes, with ids and positions. */
import { SymbolKind } from 'vscode-languageserver';
import type { Position, Range } from '../../runtime/contract/diagnostic.ts';
import type { LensTarget } from '../../runtime/contract/editorMessages.ts';
import type { RouteMethod } from '../../runtime/contract/endpoint.ts';
import {
  type Declaration,
  effectiveName,
  type ServedDefinition,
  spokenName,
} from '../../runtime/source/declarations/Declaration.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { perIndex } from '../../runtime/source/declarations/perIndex.ts';
import { type NamedStatement, statementsAt } from '../../runtime/source/references/statementsAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { comparePositions, placeKey } from '../../runtime/source/syntax/range.ts';

/** An endpoint, a function or a route of the endpoint tree, before its ranges are known. */
export interface Node {
  id: string;
  file: string;
  /** Start of the function's name, or of the call of `Endpoint`. */
  start: Position;
  declaration: Declaration;
  /** The function or class that it serves; null for an endpoint. */
  served: ServedDefinition | null;
  /** Null if it is not a route. */
  route: KnownRoute | null;
}

interface KnownRoute {
  method: RouteMethod;
  path: string;
  /** The range of its decorator. */
  range: Range;
}

export type ServedNode = Node & { served: ServedDefinition };

export interface EndpointSkeleton extends Node {
  functions: ServedNode[];
  /** The routes whose path is known. */
  routes: (ServedNode & { route: KnownRoute })[];
}

/** Endpoints sorted by file, then position. An id consists of file and name, so it is stable while these are. */
export const endpointNodes = perIndex(nodesOf);

/** All nodes by id, each endpoint before its functions and routes. */
export const nodesById = perIndex((index) => {
  const nodes = endpointNodes(index).flatMap((node): Node[] => [node, ...node.functions, ...node.routes]);
  return new Map(nodes.map((node) => [node.id, node]));
});

/** Functions and classes, once for each endpoint that serves them. */
export const servedNodes = perIndex((index) => endpointNodes(index).flatMap(({ functions }) => functions));

/** The name and kind of a node as an editor lists it. */
export function symbolOf({ declaration, served, route }: Node): { name: string; kind: SymbolKind } {
  if (route) return { name: `${route.method} ${route.path}`, kind: SymbolKind.Method };
  if (served) {
    const { name, kind } = served.definition;
    return { name, kind: kind === 'class' ? SymbolKind.Class : SymbolKind.Function };
  }
  const kind = declaration.kind === 'queue' ? SymbolKind.Event : SymbolKind.Interface;
  return { name: spokenName(declaration), kind };
}

/** The route for calling a node: its own, or the first of its function. */
export function routeOf({ route, served, declaration }: Node): LensTarget['route'] {
  if (route || !served) return route && { method: route.method, path: route.path };
  const first = declaration.routes.find(({ definition }) => definition === served.definition);
  return first?.path.state === 'known' ? { method: first.method, path: first.path.value } : null;
}

function nodesOf({ declarations }: ProjectIndex): EndpointSkeleton[] {
  const endpointIds = new Numbered();
  return declarations.map((declaration) => {
    const { file, served, routes } = declaration;
    const first = declaration.form === 'decorator' ? served[0] : undefined;
    const name = effectiveName(declaration) ?? `?${(served[0] ?? routes[0])?.definition.name ?? ''}`;
    const id = endpointIds.take(`${file}#${name}`);
    const within = new Numbered();
    const nodeOf = (item: ServedDefinition, own: string): ServedNode => ({
      id: within.take(`${id}/${own}`),
      file: item.file,
      start: item.definition.nameRange.start,
      declaration,
      served: item,
      route: null,
    });
    return {
      id,
      file: first?.file ?? file,
      start: first?.definition.nameRange.start ?? declaration.call.range.start,
      declaration,
      served: null,
      route: null,
      functions: functionsOf(declaration).map((item) => nodeOf(item, `${item.file}:${item.definition.name}`)),
      routes: routes.flatMap((route) => {
        if (route.path.state !== 'known') return [];
        const { method, path, decorator } = route;
        const known = { method, path: path.value, range: decorator.range };
        return [{ ...nodeOf(route, `${method} ${path.value}`), route: known }];
      }),
    };
  });
}

/** The statements of nodes of one file, by `placeKey`, in its current text. */
export function statementsOf(project: ProjectView, file: string, nodes: readonly Node[]): Statements {
  if (!file.endsWith('.py')) return new Map();
  return statementsAt(
    project,
    file,
    nodes.map(({ start }) => start),
  );
}

/** The ranges of one node in the current text of its file. */
export function currentPlaceOf(project: ProjectView, node: Node): NamedStatement {
  return placeOf(node, statementsOf(project, node.file, [node]));
}

export type Statements = ReadonlyMap<string, NamedStatement>;

/** The ranges of a node. Without a tree (in pyproject.toml and in broken source) they are the facts' ranges. */
export function placeOf(
  { start, served, declaration: { call, given, form } }: Node,
  statements: Statements,
): NamedStatement {
  const statement = statements.get(placeKey(start));
  if (statement) return statement;
  if (served) return { range: served.definition.nameRange, selectionRange: served.definition.nameRange };
  if (form !== 'table') return { range: call.range, selectionRange: call.calleeRange };
  const ends = Object.values(given).map(({ expression }) => expression.range.end);
  return {
    range: { start: call.range.start, end: [call.range.end, ...ends].toSorted(comparePositions).at(-1)! },
    selectionRange: given.name?.expression.range ?? call.range,
  };
}

/** Each function once, in source order of its decorators. */
function functionsOf({ served, routes }: Declaration): ServedDefinition[] {
  const functions = new Map<ServedDefinition['definition'], ServedDefinition>();
  for (const item of [...served, ...routes]) {
    if (!functions.has(item.definition)) functions.set(item.definition, item);
  }
  return [...functions.values()];
}

/** Appends a number to repeated ids, from the second one on. */
class Numbered {
  readonly #taken = new Map<string, number>();

  take(id: string): string {
    const count = (this.#taken.get(id) ?? 0) + 1;
    this.#taken.set(id, count);
    return count === 1 ? id : `${id}~${count}`;
  }
}
