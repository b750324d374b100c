import { LIVE_PREFIX } from '../../contract/names.ts';
import { effectiveName, nameRange } from '../declarations/Declaration.ts';
import { fitName } from '../fixes/endpointName.ts';
import type { Finding } from './Finding.ts';

/**
 * Names that begin with `live-` are reserved for the temporary endpoints of `toolkit dev`.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="live-resize")
 * def resize(image: str):
 *     """Resize an image."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="resize")
 * def resize(image: str):
 *     """Resize an image."""
 * ```
 */
export const reservedName: Finding = {
  code: 'reserved-name',
  severity: 'error',
  chapter: 'Names',
  *find({ declarations }) {
    for (const declaration of declarations) {
      const name = effectiveName(declaration);
      if (!name?.startsWith(LIVE_PREFIX)) continue;
      yield {
        ...nameRange(declaration),
        message: `"${name}" begins with "${LIVE_PREFIX}", which is reserved for the endpoints of toolkit dev.`,
        fix: `Choose a name that does not begin with "${LIVE_PREFIX}".`,
      };
    }
  },
  fixes: [fitName],
};
