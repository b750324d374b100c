import type { Finding } from './Finding.ts';

/**
 * `Endpoint(...)` or a route is inside a function. Only what a module declares at its top level is deployed, so this is
 * not, and it takes no share of the quota. In tests this is often meant: silence it there.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * def make(name: str):
 *     """Make an endpoint."""
 *     return Endpoint(name=name)
 * ```
 *
 * Repaired:
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
