import type { Declaration } from '../declarations/Declaration.ts';
import { uniqueName } from '../fixes/endpointName.ts';
import { ownDeclaration } from '../fixes/own-declaration.ts';
import { toLoadBalanced } from '../fixes/to-load-balanced.ts';
import type { FileIndex } from './FileIndex.ts';
import type { Finding, FoundText } from './Finding.ts';
import { namesIn, othersOf, sitesOf } from './nameSites.ts';

/**
 * The same name is declared as queue-based in one place and as load-balanced in another.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="images")
 *
 * @api.get("/health")
 * def health():
 *     """Say that the service is up."""
 *
 * @Endpoint(name="images")
 * def resize(image: str):
 *     """Resize an image."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="images")
 *
 * @api.get("/health")
 * def health():
 *     """Say that the service is up."""
 *
 * @Endpoint(name="resize")
 * def resize(image: str):
 *     """Resize an image."""
 * ```
 */
export const nameInBothForms: Finding = {
  code: 'name-in-both-forms',
  severity: 'error',
  chapter: 'Names',
  *find(index) {
    yield* index.declarations.flatMap(ofInstance);
    for (const name of namesIn(index)) yield* ofName(index, name);
  },
  fixes: [uniqueName, ownDeclaration, toLoadBalanced],
};

function ofInstance({ form, kind, served, file, call }: Declaration): FoundText[] {
  const [first] = served;
  if (form === 'table' || kind === 'queue' || !first) return [];
  return [
    {
      file: first.file,
      range: first.definition.nameRange,
      message: 'This endpoint has routes, so it cannot also decorate a function as a queue-based endpoint.',
      related: [{ file, range: call.range, message: 'The endpoint is declared here.' }],
      fix: 'Declare the queue-based function with its own @Endpoint(...).',
    },
  ];
}

function ofName({ file, ask }: FileIndex, name: string): FoundText[] {
  // A name that is also in pyproject.toml is reported by `duplicate-queue-name`.
  const same = ask.named(name).filter(({ form }) => form !== 'table');
  if (new Set(same.map(({ kind }) => kind)).size < 2) return [];
  const sites = same.flatMap((one) => sitesOf(one, name).map((site) => ({ ...site, kind: one.kind })));
  const own = sites.filter((site) => site.file === file);
  return own.map((site) => {
    const form = site.kind === 'queue' ? 'load-balanced' : 'queue-based';
    const others = sites.filter(({ kind }) => kind !== site.kind);
    return {
      file,
      range: site.range,
      message: `The name "${name}" is declared as both queue-based and load-balanced, but an endpoint is one or the other.`,
      related: othersOf(site, others, `"${name}" is ${form} here.`),
      fix: 'Give one of them another name.',
    };
  });
}
