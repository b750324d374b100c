import { BASE_IMAGE_PACKAGES } from '../../contract/names.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { argumentAt } from '../fixes/findPlace.ts';
import { removeSequenceItem } from '../fixes/listEdits.ts';
import { isSameRange } from '../syntax/range.ts';
import type { Finding } from './Finding.ts';
import { itemRange } from './invalidValues.ts';

const PROVIDED: ReadonlySet<string> = new Set(BASE_IMAGE_PACKAGES);

/**
 * The base image already provides the package (torch, torchvision, torchaudio, numpy, triton), so it is left
 * out of the artifact.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(dependencies=["numpy"])
 * def mean(values: list[float]):
 *     """Return the mean."""
 *     import numpy
 *     return float(numpy.mean(values))
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def mean(values: list[float]):
 *     """Return the mean."""
 *     import numpy
 *     return float(numpy.mean(values))
 * ```
 */
export const providedByImage: Finding = {
  code: 'provided-by-image',
  severity: 'hint',
  chapter: 'Imports and packages',
  *find({ declarations }) {
    for (const { file, given, dependencies } of declarations) {
      if (!given.dependencies || dependencies.state !== 'known') continue;
      for (const [at, requirement] of dependencies.value.entries()) {
        const name = /^\s*([A-Za-z0-9._-]+)/.exec(requirement)?.[1]?.toLowerCase();
        if (name === undefined || !PROVIDED.has(name)) continue;
        yield {
          file,
          range: itemRange(given.dependencies.expression, at),
          message: `${name} is provided by the base image, so it is left out of the artifact.`,
          fix: `No change is needed, but you can remove ${name} from dependencies.`,
        };
      }
    }
  },
  fixes: [removeDependency],
};

function* removeDependency(request: FixRequest): Fixes {
  const { source, found } = request;
  const expression = argumentAt(request)?.argument.expression;
  if (expression?.kind !== 'sequence') return;
  const at = expression.items.findIndex(({ range }) => isSameRange(range, found.range));
  if (at === -1) return;
  const title = `Remove ${source.slice(found.range)} from dependencies`;
  yield { title, edits: removeSequenceItem(source, expression, at), preferred: true };
}
