/** The input schema of each path of dev, read on demand from the newest code. */
import type { InputSchema } from '../contract/inputSchema.ts';
import type { Declaration, ServedDefinition } from '../source/declarations/Declaration.ts';
import { effectiveName } from '../source/declarations/Declaration.ts';
import { inputSchema } from '../source/declarations/inputSchema.ts';
import type { ProjectView } from '../source/snapshot/ProjectView.ts';
import { loadWasmParser } from '../source/syntax/wasmParser.ts';
import { type DevRoute, pathOf } from './devRoutes.ts';

/** A route with its input schema. */
export interface DescribedRoute extends DevRoute {
  /** Null for a command, which has no known function. */
  input: InputSchema | null;
}

export class RouteInputs {
  readonly #view: () => ProjectView;
  /** By endpoint, method and path: the last schema, used while the code cannot be read. */
  readonly #last = new Map<string, InputSchema>();

  constructor(view: () => ProjectView) {
    this.#view = view;
  }

  async describe(routes: readonly DevRoute[]): Promise<DescribedRoute[]> {
    const parser = await loadWasmParser();
    const view = this.#view();
    const source = { names: view.index.names, parser, textOf: (file: string) => view.textOf(file) };
    return routes.map((route) => {
      const key = `${route.endpoint} ${route.method} ${pathOf(route)}`;
      const served = servedBy(view.index.declarations, route);
      const { method, path } = route;
      if (served) this.#last.set(key, inputSchema(source, served, path === null ? null : { method, path }));
      return { ...route, input: this.#last.get(key) ?? null };
    });
  }
}

function servedBy(declarations: readonly Declaration[], route: DevRoute): ServedDefinition | null {
  const named = declarations.filter(
    (one) => effectiveName(one) === route.endpoint && one.kind === route.kind && !one.alternative,
  );
  for (const { served, routes } of named) {
    const found =
      route.path === null
        ? served[0]
        : routes.find(
            ({ method, path, file }) =>
              method === route.method &&
              path.state === 'known' &&
              path.value === route.path &&
              file === route.file,
          );
    if (found) return found;
  }
  return null;
}
