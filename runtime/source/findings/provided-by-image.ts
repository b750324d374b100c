/** A dependency that the base images have: it is left out of the artifact. */
import { BASE_IMAGE_PACKAGES } from '../../contract/names.ts';
import { finding, type Rule } from './Finding.ts';

const PROVIDED: ReadonlySet<string> = new Set(BASE_IMAGE_PACKAGES);

export const providedByImage: Rule = (index) =>
  index.declarations.flatMap(({ file, given, dependencies }) => {
    const argument = given.dependencies;
    if (!argument || dependencies.state !== 'known') return [];
    const { expression } = argument;
    const direct =
      expression.kind === 'sequence' && expression.items.every(({ kind }) => kind !== 'spread')
        ? expression.items
        : [];
    return dependencies.value.flatMap((requirement, at) => {
      const name = /^\s*([A-Za-z0-9._-]+)/.exec(requirement)?.[1]?.toLowerCase();
      if (name === undefined || !PROVIDED.has(name)) return [];
      return [
        finding('provided-by-image', {
          file,
          range: direct[at]?.range ?? expression.range,
          message: `${name} is provided by the base image, so it is left out of the artifact.`,
          fix: `Leave it as it is, or remove ${name} from dependencies.`,
        }),
      ];
    });
  });
