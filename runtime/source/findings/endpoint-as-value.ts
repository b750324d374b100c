import type { Finding } from './Finding.ts';

/**
 * The class `Endpoint`, an endpoint that takes routes, or a route decorator such as `api.get` is passed
 * around as a value, subclassed, or looked up with `getattr`. Endpoints and routes that are declared this way
 * are not found. Printing, logging and comparing are fine.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * KINDS = {"default": Endpoint}
 *
 * @KINDS["default"](name="count")
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="count")
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const endpointAsValue: Finding = {
  code: 'endpoint-as-value',
  severity: 'warning',
  chapter: 'Functions and classes',
  find: (index) => index.misuses('endpoint-as-value'),
};
