import { isDeepStrictEqual } from 'node:util';
import type { Range } from '../../contract/diagnostic.ts';
import { withDefault } from '../declarations/alternatives.ts';
import { type Declaration, type Keyword, nameRange } from '../declarations/Declaration.ts';
import type { FileIndex } from './FileIndex.ts';
import type { Finding, FoundText } from './Finding.ts';
import { namesIn, othersOf } from './nameSites.ts';

/**
 * Two declarations of a load-balanced endpoint have the same name, so their routes form one endpoint, but they
 * give it different settings. Only `dependencies` may differ: the endpoint gets all of them.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * texts = Endpoint(name="api", workers=(0, 1))
 *
 * @texts.post("/count")
 * def count(text: str):
 *     """Count words."""
 *
 * images = Endpoint(name="api", workers=(0, 5))
 *
 * @images.post("/resize")
 * def resize(image: str):
 *     """Resize an image."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * texts = Endpoint(name="api", workers=(0, 5))
 *
 * @texts.post("/count")
 * def count(text: str):
 *     """Count words."""
 *
 * images = Endpoint(name="api", workers=(0, 5))
 *
 * @images.post("/resize")
 * def resize(image: str):
 *     """Resize an image."""
 * ```
 */
export const conflictingSettings: Finding = {
  code: 'conflicting-settings',
  severity: 'error',
  chapter: 'Names',
  find: (index) => namesIn(index).flatMap((name) => ofName(index, name)),
};

/** Settings that must be the same in all declarations of an endpoint: the argument, and its field in a declaration. */
const SETTINGS = [
  { keyword: 'gpu', field: 'gpu' },
  { keyword: 'cpu', field: 'cpu' },
  { keyword: 'workers', field: 'workers' },
  { keyword: 'idle_timeout', field: 'idleTimeout' },
  { keyword: 'env', field: 'env' },
  { keyword: 'image', field: 'image' },
  { keyword: 'gpu_count', field: 'gpuCount' },
  { keyword: 'execution_timeout', field: 'executionTimeout' },
  { keyword: 'max_concurrency', field: 'maxConcurrency' },
] as const;

function ofName({ file, ask }: FileIndex, name: string): FoundText[] {
  const same = ask.named(name).filter(({ alternative }) => alternative === undefined);
  // Other findings report names that queue-based endpoints or pyproject.toml share.
  if (same.length < 2 || same.some(({ form, kind }) => form === 'table' || kind === 'queue')) return [];
  return SETTINGS.flatMap(({ keyword, field }) => {
    // An invalid value has its own finding, and a dynamic one can be equal.
    const comparable = same.filter((one) => one[field].state === 'known' || one[field].state === 'absent');
    const [first, ...others] = comparable.map((one) => withDefault(one, field));
    if (others.every((value) => isDeepStrictEqual(value, first))) return [];
    const sites = comparable.map((one) => siteOf(one, keyword));
    return sites
      .filter((site) => site.file === file)
      .map((site) => ({
        ...site,
        message: `The endpoint "${name}" is declared ${sites.length} times, with different values of ${keyword}.`,
        related: othersOf(site, sites, `"${name}" is also declared here.`),
        fix: `Use the same ${keyword} in each declaration, or give them different names.`,
      }));
  });
}

/** The value of a setting, or the endpoint's name if the setting has its default. */
function siteOf(declaration: Declaration, keyword: Keyword): { file: string; range: Range } {
  const { file, given } = declaration;
  const argument = given[keyword];
  return argument ? { file, range: argument.expression.range } : nameRange(declaration);
}
