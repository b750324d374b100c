/** One name declared queue-based and load-balanced: found at every site. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import { groupByName, type NameSite, othersOf, sitesOf } from './nameSites.ts';
import { finding, type Rule } from './rule.ts';

export const nameInBothForms: Rule = (index) => {
  const findings: Diagnostic[] = [];
  const kinds = new Map<NameSite, 'queue' | 'load-balanced'>();
  for (const declaration of index.declarations) {
    // A name that is in pyproject.toml too is told by `duplicate-queue-name`.
    if (declaration.form === 'table') continue;
    for (const site of sitesOf(declaration, effectiveName(declaration))) kinds.set(site, declaration.kind);
    if (declaration.kind === 'queue' || declaration.served.length === 0) continue;
    const [first] = declaration.served;
    findings.push(
      finding('name-in-both-forms', {
        file: first!.file,
        range: first!.definition.nameRange,
        message: 'This instance has routes, so it cannot decorate a function as a queue-based endpoint too.',
        related: [
          {
            file: declaration.file,
            range: declaration.call.range,
            message: 'The instance is declared here.',
          },
        ],
        fix: 'Declare the queue-based function with an @Endpoint(...) of its own.',
      }),
    );
  }
  for (const [name, sites] of groupByName([...kinds.keys()])) {
    if (new Set(sites.map((site) => kinds.get(site))).size < 2) continue;
    for (const site of sites) {
      const form = kinds.get(site) === 'queue' ? 'load-balanced' : 'queue-based';
      findings.push(
        finding('name-in-both-forms', {
          file: site.file,
          range: site.range,
          message: `The name "${name}" is declared queue-based and load-balanced, and an endpoint has one form.`,
          related: othersOf(
            site,
            sites.filter((other) => kinds.get(other) !== kinds.get(site)),
            `"${name}" is ${form} here.`,
          ),
          fix: 'Give one of them another name.',
        }),
      );
    }
  }
  return findings;
};
