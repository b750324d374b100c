import type { Finding } from './Finding.ts';

/**
 * The class `Endpoint`, an endpoint that takes routes, or a route decorator such as `api.get` is passed on as a value,
 * derived from, or looked up by a text. What is declared or added through it is not found. Printing, logging and
 * comparing is fine.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * MAKERS = {"default": Endpoint}
 * ```
 *
 * Repaired:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="default")
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
