import { uniqueName } from '../fixes/endpointName.ts';
import { ownDeclaration } from '../fixes/own-declaration.ts';
import { toLoadBalanced } from '../fixes/to-load-balanced.ts';
import type { Finding, FoundText } from './Finding.ts';
import { type NameSite, namesIn, othersOf, sitesOf } from './nameSites.ts';

/**
 * Two queue-based declarations in the project have the same name, but a queue-based endpoint serves exactly
 * one function. Endpoints in `pyproject.toml` count too.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="resize")
 * def resize(image: str):
 *     """Resize an image."""
 *
 * @Endpoint(name="resize")
 * def shrink(image: str):
 *     """Shrink an image."""
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
 *
 * @Endpoint(name="shrink")
 * def shrink(image: str):
 *     """Shrink an image."""
 * ```
 */
export const duplicateQueueName: Finding = {
  code: 'duplicate-queue-name',
  severity: 'error',
  chapter: 'Names',
  find: (index) =>
    namesIn(index).flatMap((name): FoundText[] => {
      const same = index.ask.named(name);
      const isTable = same.some(({ form }) => form === 'table');
      // An endpoint in pyproject.toml is complete: no other declaration can add to it.
      const queues = same.filter(({ kind }) => kind === 'queue' || isTable);
      const sites = queues.flatMap((one) => sitesOf(one, name));
      if (sites.length < 2) return [];
      return sites.filter(({ file }) => file === index.file).map((site) => duplicate(name, site, sites));
    }),
  fixes: [uniqueName, ownDeclaration, toLoadBalanced],
};

function duplicate(name: string, site: NameSite, sites: readonly NameSite[]): FoundText {
  return {
    file: site.file,
    range: site.range,
    message: sites.some(({ isTable }) => isTable)
      ? `The name "${name}" is declared ${sites.length} times, but an endpoint in pyproject.toml cannot share its name.`
      : `The name "${name}" is used by ${sites.length} queue-based functions, but a queue-based endpoint serves exactly one.`,
    related: othersOf(site, sites, `"${name}" is also declared here.`),
    fix: 'Give each of them a different name.',
  };
}
