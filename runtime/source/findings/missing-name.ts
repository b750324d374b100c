import { dialectOf, nameRange } from '../declarations/Declaration.ts';
import { example } from '../declarations/dialect.ts';
import { fitName } from '../fixes/endpointName.ts';
import type { Finding } from './Finding.ts';

/**
 * A load-balanced endpoint or an endpoint in `pyproject.toml` has no name, or a name is empty. A queue-based
 * endpoint without a name takes the name of its function or class.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(cpu="cpu3c-1-2")
 *
 * @api.get("/health")
 * def health():
 *     """Say that the service is up."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api", cpu="cpu3c-1-2")
 *
 * @api.get("/health")
 * def health():
 *     """Say that the service is up."""
 * ```
 */
export const missingName: Finding = {
  code: 'missing-name',
  severity: 'error',
  chapter: 'Names',
  *find({ declarations }) {
    for (const declaration of declarations) {
      const { file, name, kind, form, call } = declaration;
      const fix = example(dialectOf(declaration), 'name', '"my-endpoint"');
      if (name.state === 'known' && name.value === '') {
        yield { ...nameRange(declaration), message: 'The name of an endpoint cannot be empty.', fix };
      }
      if (name.state !== 'absent' || (kind !== 'load-balanced' && form !== 'table')) continue;
      const what = form === 'table' ? 'An endpoint in pyproject.toml' : 'A load-balanced endpoint';
      yield { file, range: call.calleeRange, message: `${what} needs a name.`, fix };
    }
  },
  fixes: [fitName],
};
