/** The content of a run's pages: the OpenAPI document, and the data of the API explorer. */
import type { PageEndpoint, PageProject, PageRoute } from '../contract/requestPage.ts';
import type { DevProject } from './DevProject.ts';
import { type DevRoutes, pathOf } from './devRoutes.ts';
import type { EventFeed } from './EventFeed.ts';
import type { DevPages } from './http/devPages.ts';
import type { LiveEndpoint } from './LiveEndpoint.ts';
import type { LiveEndpoints } from './LiveEndpoints.ts';
import { openapiDocument } from './openapi/openapiDocument.ts';
import { type DescribedRoute, RouteInputs } from './RouteInputs.ts';

interface RunPagesOptions {
  project: DevProject;
  live: LiveEndpoints;
  context: { app: string; environment: string };
  /** Version of the toolkit. */
  version: string;
  /** Required in every request; null if only this machine can connect. */
  token: string | null;
  routes(): DevRoutes;
  events: EventFeed;
}

export class RunPages implements DevPages {
  readonly token: string | null;
  readonly events: EventFeed;
  readonly #options: RunPagesOptions;
  readonly #inputs: RouteInputs;

  constructor(options: RunPagesOptions) {
    this.token = options.token;
    this.events = options.events;
    this.#options = options;
    this.#inputs = new RouteInputs(() => options.project.view());
  }

  async openapi(): Promise<object> {
    const { context, version, token } = this.#options;
    const { routes, clashes } = this.#options.routes();
    const described = await this.#inputs.describe(routes);
    return openapiDocument({
      app: context.app,
      version,
      routes: described,
      clashes,
      needsToken: token !== null,
    });
  }

  async project(): Promise<PageProject> {
    const { context, live, token, routes } = this.#options;
    const described = await this.#inputs.describe(routes().routes);
    return {
      ...context,
      needsToken: token !== null,
      routes: described.map(pageRoute),
      endpoints: live.all.map(pageEndpoint),
    };
  }
}

function pageRoute(route: DescribedRoute): PageRoute {
  const { method, endpoint, kind, file, line, description, input } = route;
  return { method, path: pathOf(route), endpoint, kind, file, line, description, input };
}

function pageEndpoint({ name, state, address, stale }: LiveEndpoint): PageEndpoint {
  return { name, state, hardware: address?.hardware ?? null, stale: stale?.toBody() ?? null };
}
