import type { Finding } from './Finding.ts';

/**
 * Endpoints or routes in different files have the same path under `toolkit dev`, where each path begins with
 * the path of its file. Dev responds to these requests with 409 and names both. Once deployed, each endpoint
 * has its own address.
 *
 * ```python
 * # shop.py
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="shop")
 *
 * @api.post("/prices/runsync")
 * def prices(item: str):
 *     """Return the price of an item."""
 *
 * # shop/prices.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(item: str):
 *     """Count the prices of an item."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * # shop.py
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="shop")
 *
 * @api.post("/price")
 * def prices(item: str):
 *     """Return the price of an item."""
 *
 * # shop/prices.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(item: str):
 *     """Count the prices of an item."""
 * ```
 */
export const sameDevPath: Finding = {
  code: 'same-dev-path',
  severity: 'hint',
  chapter: 'Routes',
  find: ({ file, ask }) =>
    ask.sharedDevPaths(file).map(({ range, method, path, others }) => {
      const files = [...new Set(others.map((other) => other.file))].join(' and ');
      return {
        file,
        range,
        message: `Under toolkit dev, ${method} ${path} is declared both here and in ${files}, so dev serves neither.`,
        fix: 'Give one of them another path, or rename a file.',
        related: others.map((other) => ({ ...other, message: 'This has the same path under toolkit dev.' })),
      };
    }),
};
