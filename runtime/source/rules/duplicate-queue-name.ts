/**
 * Two queue-based declarations with one name, one declaration on two functions, or a name both in Python and in
 * pyproject.toml: found at every site.
 */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import { groupByName, type NameSite, othersOf, sitesOf } from './nameSites.ts';
import type { Rule } from './rule.ts';
import { finding } from './rule.ts';

export const duplicateQueueName: Rule = (index) => {
  const findings: Diagnostic[] = [];
  const tables = new Set(
    index.declarations.filter(({ form }) => form === 'table').map((item) => effectiveName(item)),
  );
  // What pyproject.toml names is an endpoint of its own, which no other declaration can add to.
  const queues = index.declarations.filter(
    (item) => item.kind === 'queue' || tables.has(effectiveName(item)),
  );
  for (const [name, sites] of groupByName(queues.flatMap((item) => sitesOf(item, effectiveName(item))))) {
    if (sites.length > 1) findings.push(...sites.map((site) => duplicate(name, site, sites)));
  }
  return findings;
};

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
