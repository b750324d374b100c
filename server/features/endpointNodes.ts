/** A project's index → its endpoints, functions and routes with ids and the places that they are found at. */
import type { Position, Range } from '../../runtime/contract/diagnostic.ts';
import type { RouteMethod } from '../../runtime/contract/endpoint.ts';
import {
  type Declaration,
  effectiveName,
  type RouteDeclaration,
  type ServedDefinition,
} from '../../runtime/source/declarations/Declaration.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import type { NamedStatement } from '../../runtime/source/references/statementsAt.ts';

/** A node of the endpoint tree before its ranges are known. */
interface Placed {
  id: string;
  file: string;
  /** Where the function's name, or the call of `Endpoint`, begins. */
  start: Position;
}

export interface EndpointSkeleton extends Placed {
  declaration: Declaration;
  functions: (Placed & { served: ServedDefinition })[];
  /** Those whose path is known. */
  routes: (Placed & { route: RouteDeclaration; path: string })[];
}

/** An endpoint, a function or a route. */
export interface Node extends Placed {
  declaration: Declaration;
  /** What it serves; null for an endpoint. */
  served: ServedDefinition | null;
  /** Null for what is not a route. */
  route: { method: RouteMethod; path: string; decorator: Range } | null;
}

/** All nodes, each endpoint before its functions and routes. */
export function allNodes(index: ProjectIndex): Node[] {
  return endpointNodes(index).flatMap(({ id, file, start, declaration, functions, routes }) => [
    { id, file, start, declaration, served: null, route: null },
    ...functions.map((node) => ({ ...node, declaration, route: null })),
    ...routes.map(({ route: { method, decorator, ...served }, path, ...node }) => {
      return { ...node, declaration, served, route: { method, path, decorator: decorator.range } };
    }),
  ]);
}

/** In order of file, then place. An id is made of file and name, so that it stays while these do. */
export function endpointNodes({ declarations }: ProjectIndex): EndpointSkeleton[] {
  const endpointIds = new Numbered();
  return declarations.map((declaration) => {
    const { file, served, routes } = declaration;
    const first = declaration.form === 'decorator' ? served[0] : undefined;
    const name = effectiveName(declaration) ?? `?${(served[0] ?? routes[0])?.definition.name ?? ''}`;
    const id = endpointIds.take(`${file}#${name}`);
    const within = new Numbered();
    return {
      id,
      file: first?.file ?? file,
      start: first?.definition.nameRange.start ?? declaration.call.range.start,
      declaration,
      functions: functionsOf(declaration).map((item) => ({
        id: within.take(`${id}/${item.file}:${item.definition.name}`),
        file: item.file,
        start: item.definition.nameRange.start,
        served: item,
      })),
      routes: routes.flatMap((route) =>
        route.path.state === 'known'
          ? [
              {
                id: within.take(`${id}/${route.method} ${route.path.value}`),
                file: route.file,
                start: route.definition.nameRange.start,
                route,
                path: route.path.value,
              },
            ]
          : [],
      ),
    };
  });
}

/** Where there is no tree, of pyproject.toml and of broken source, it is what the facts say. */
export function fallbackStatement(item: Declaration | ServedDefinition): NamedStatement {
  if ('definition' in item) {
    return { range: item.definition.nameRange, selectionRange: item.definition.nameRange };
  }
  const { call, given, form } = item;
  if (form !== 'table') return { range: call.range, selectionRange: call.calleeRange };
  const ends = Object.values(given).map(({ expression }) => expression.range.end);
  const end = [call.range.end, ...ends].reduce((last, one) => (isBefore(last, one) ? one : last));
  return {
    range: { start: call.range.start, end },
    selectionRange: given.name?.expression.range ?? call.range,
  };
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Each function once, in source order of its decorators. */
function functionsOf({ served, routes }: Declaration): ServedDefinition[] {
  const functions = new Map<ServedDefinition['definition'], ServedDefinition>();
  for (const item of [...served, ...routes]) {
    if (!functions.has(item.definition)) functions.set(item.definition, item);
  }
  return [...functions.values()];
}

/** Gives equal ids a number from the second on. */
class Numbered {
  readonly #taken = new Map<string, number>();

  take(id: string): string {
    const count = (this.#taken.get(id) ?? 0) + 1;
    this.#taken.set(id, count);
    return count === 1 ? id : `${id}~${count}`;
  }
}
