import type { Finding } from './Finding.ts';

/**
 * `Endpoint(...)` or a route is inside a function. Only declarations at the top level of a module are
 * deployed, so this one is not deployed and does not count toward the quota. In tests this is often
 * intended: silence the warning there.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * def declare():
 *     api = Endpoint(name="api")
 *
 *     @api.get("/health")
 *     def health():
 *         """Say that the service is up."""
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
 * def health():
 *     """Say that the service is up."""
 * ```
 */
export const endpointInFunction: Finding = {
  code: 'endpoint-in-function',
  severity: 'warning',
  chapter: 'Functions and classes',
  find: (index) => index.misuses('endpoint-in-function'),
};
