/**
 * Two queue-based declarations with one name, one declaration on two functions, or a name both in Python and in
 * pyproject.toml: found at every site.
 */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { finding, type Rule } from './Finding.ts';
import { type NameSite, namesIn, othersOf, sitesOf } from './nameSites.ts';

export const duplicateQueueName: Rule = (index) =>
  namesIn(index).flatMap((name): Diagnostic[] => {
    const same = index.named(name);
    const isTable = same.some(({ form }) => form === 'table');
    // What pyproject.toml names is an endpoint of its own, which no other declaration can add to.
    const queues = same.filter(({ kind }) => kind === 'queue' || isTable);
    const sites = queues.flatMap((one) => sitesOf(one, name));
    if (sites.length < 2) return [];
    return sites.filter(({ file }) => file === index.file).map((site) => duplicate(name, site, sites));
  });

function duplicate(name: string, site: NameSite, sites: readonly NameSite[]): Diagnostic {
  return finding('duplicate-queue-name', {
    file: site.file,
    range: site.range,
    message: sites.some(({ isTable }) => isTable)
      ? `The name "${name}" is declared ${sites.length} times, and an endpoint in pyproject.toml shares its name with no other.`
      : `The name "${name}" belongs to ${sites.length} queue-based functions, and each endpoint name takes exactly one.`,
    related: othersOf(site, sites, `"${name}" is declared here too.`),
    fix: 'Give each of them a name of its own.',
  });
}
