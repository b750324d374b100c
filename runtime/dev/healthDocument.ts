/** The response body of the dev server's `GET /`. */
import type { LiveRunTarget } from '../contract/liveRun.ts';
import { type DevRoutes, pathOf } from './devRoutes.ts';
import type { LiveEndpoint } from './LiveEndpoint.ts';

interface Health {
  /** Version of the toolkit. */
  version: string;
  context: Pick<LiveRunTarget, 'app' | 'environment'>;
  endpoints: readonly LiveEndpoint[];
  routes: DevRoutes['routes'];
}

export function healthDocument({ version, context, endpoints, routes }: Health): object {
  return {
    status: 'ok',
    version,
    ...context,
    endpoints: endpoints.map(({ name, state, stale }) => ({
      name,
      state,
      ...(stale && { stale: stale.toBody() }),
      paths: routes
        .filter(({ endpoint }) => endpoint === name)
        .map((route) => `${route.method} ${pathOf(route)}`),
    })),
  };
}
