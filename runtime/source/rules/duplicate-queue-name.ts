/** Two queue-based declarations with one name, or one declaration on two functions: found at every site. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { effectiveName } from '../index/Declaration.ts';
import { groupByName, type NameSite, othersOf, sitesOf } from './nameSites.ts';
import type { Rule } from './rule.ts';
import { finding } from './rule.ts';

export const duplicateQueueName: Rule = (index) => {
  const findings: Diagnostic[] = [];
  const queues = index.declarations.filter(({ kind }) => kind === 'queue');
  for (const [name, sites] of groupByName(queues.flatMap((item) => sitesOf(item, effectiveName(item))))) {
    if (sites.length > 1) findings.push(...sites.map((site) => duplicate(name, site, sites)));
  }
  return findings;
};

function duplicate(name: string, site: NameSite, sites: readonly NameSite[]): Diagnostic {
  return finding('duplicate-queue-name', {
    file: site.file,
    range: site.range,
    message: `The name "${name}" belongs to ${sites.length} queue-based functions, and each endpoint name takes exactly one.`,
    related: othersOf(site, sites, `"${name}" is declared here too.`),
    fix: 'Give each function an endpoint name of its own.',
  });
}
