/** One name declared queue-based and load-balanced: found at every site. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import type { FileIndex } from './FileIndex.ts';
import { finding, type Rule } from './Finding.ts';
import { namesIn, othersOf, sitesOf } from './nameSites.ts';

export const nameInBothForms: Rule = (index) => [
  ...index.declarations.flatMap(ofInstance),
  ...namesIn(index).flatMap((name) => ofName(index, name)),
];

function ofInstance({ form, kind, served, file, call }: Declaration): Diagnostic[] {
  const [first] = served;
  if (form === 'table' || kind === 'queue' || !first) return [];
  return [
    finding('name-in-both-forms', {
      file: first.file,
      range: first.definition.nameRange,
      message: 'This instance has routes, so it cannot decorate a function as a queue-based endpoint too.',
      related: [{ file, range: call.range, message: 'The instance is declared here.' }],
      fix: 'Declare the queue-based function with an @Endpoint(...) of its own.',
    }),
  ];
}

function ofName(index: FileIndex, name: string): Diagnostic[] {
  // A name that is in pyproject.toml too is told by `duplicate-queue-name`.
  const same = index.named(name).filter(({ form }) => form !== 'table');
  if (new Set(same.map(({ kind }) => kind)).size < 2) return [];
  const sites = same.flatMap((one) => sitesOf(one, name).map((site) => ({ ...site, kind: one.kind })));
  return sites
    .filter(({ file }) => file === index.file)
    .map((site) => {
      const form = site.kind === 'queue' ? 'load-balanced' : 'queue-based';
      const others = sites.filter(({ kind }) => kind !== site.kind);
      return finding('name-in-both-forms', {
        file: site.file,
        range: site.range,
        message: `The name "${name}" is declared queue-based and load-balanced, and an endpoint has one form.`,
        related: othersOf(site, others, `"${name}" is ${form} here.`),
        fix: 'Give one of them another name.',
      });
    });
}
