import type { Finding } from './Finding.ts';

/**
 * Things of different files have one path under `toolkit dev`, which begins with the file's path. Dev answers 409 there
 * and names both. Deployed, each endpoint has an address of its own.
 *
 * ```python
 * # shop.py
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="shop")
 *
 * @api.post("/prices/runsync")
 * def prices(item: str):
 *     """Tell the price of an item."""
 *
 * # shop/prices.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(item: str):
 *     """Count the prices of an item."""
 * ```
 *
 * Repaired:
 *
 * ```python
 * # shop.py
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="shop")
 *
 * @api.post("/price")
 * def prices(item: str):
 *     """Tell the price of an item."""
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
        message: `Under toolkit dev, ${method} ${path} means this and what ${files} has there, so dev serves neither.`,
        fix: 'Give one of them another path, or rename a file.',
        related: others.map((other) => ({ ...other, message: 'This has the same path under toolkit dev.' })),
      };
    }),
};
