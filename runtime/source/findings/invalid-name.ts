import { fittingName, isValidName, NAME_RULE } from '../../contract/names.ts';
import { dialectOf, effectiveName, nameRange } from '../declarations/Declaration.ts';
import { example } from '../declarations/dialect.ts';
import { fitName } from '../fixes/endpointName.ts';
import type { Finding } from './Finding.ts';

/**
 * The name of an endpoint must be 1–63 letters, digits, `-` or `_`, and begin with a letter or digit.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="my resizer")
 * def resize(image: str):
 *     """Resize an image."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="my-resizer")
 * def resize(image: str):
 *     """Resize an image."""
 * ```
 */
export const invalidName: Finding = {
  code: 'invalid-name',
  severity: 'error',
  chapter: 'Names',
  *find({ declarations }) {
    for (const declaration of declarations) {
      const name = effectiveName(declaration);
      if (name === null || name === '' || isValidName(name)) continue;
      yield {
        ...nameRange(declaration),
        message: `"${name}" is not a valid endpoint name: use ${NAME_RULE}.`,
        fix: example(dialectOf(declaration), 'name', `"${fittingName(name) ?? 'my-endpoint'}"`),
      };
    }
  },
  fixes: [fitName],
};
