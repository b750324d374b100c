/** A served function whose docstring has no first line: it is what tables and the API explorer show. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Definition } from '../binder/FileFacts.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import type { FactsOf } from '../declarations/NameResolver.ts';
import { publicMethods } from '../declarations/publicMethods.ts';
import { finding, type Rule } from './Finding.ts';

export const missingDescription: Rule = (index) => {
  const { factsOf } = index.names;
  const seen = new Set<Definition>();
  return index.declarations.flatMap((declaration) =>
    undescribed(declaration, factsOf).flatMap(({ file, definition }): Diagnostic[] => {
      // A function with two routes is described once.
      if (seen.has(definition)) return [];
      seen.add(definition);
      return [
        finding('missing-description', {
          file,
          range: definition.nameRange,
          message: `${definition.name} has no description.`,
          fix: 'Write what it does as the first line of its docstring: """Tells ... .""".',
        }),
      ];
    }),
  );
};

/** Of a class, the method's docstring or the class's own will do. */
function undescribed({ served, routes }: Declaration, factsOf: FactsOf) {
  return [...served, ...routes].filter(({ file, definition }) => {
    if (definition.description !== null) return false;
    const methods = definition.kind === 'class' ? publicMethods(definition, factsOf(file)) : [];
    return methods.every(({ description }) => description === null);
  });
}
