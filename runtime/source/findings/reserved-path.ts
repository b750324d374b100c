import { RESERVED_ROUTE } from '../../contract/names.ts';
import { pathRange } from '../declarations/pathRange.ts';
import { otherPath } from '../fixes/routePath.ts';
import type { Finding } from './Finding.ts';

/**
 * The path `/ping` is reserved: it is used for health checks of the workers.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/ping")
 * def ping():
 *     """Say that the service is up."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/health")
 * def ping():
 *     """Say that the service is up."""
 * ```
 */
export const reservedPath: Finding = {
  code: 'reserved-path',
  severity: 'error',
  chapter: 'Routes',
  *find({ declarations }) {
    for (const route of declarations.flatMap(({ routes }) => routes)) {
      if (route.path.state !== 'known' || route.path.value !== RESERVED_ROUTE) continue;
      yield {
        file: route.file,
        range: pathRange(route),
        message: `The path "${RESERVED_ROUTE}" is reserved: it is used for health checks of the workers.`,
        fix: 'Choose another path, for example "/health".',
      };
    }
  },
  fixes: [otherPath],
};
