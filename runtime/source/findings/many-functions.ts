/** A class as a declaration that has not exactly one public method, the function that its endpoint serves. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { ServedDefinition } from '../declarations/Declaration.ts';
import type { FactsOf } from '../declarations/NameResolver.ts';
import { isUnbound, publicMethods } from '../declarations/publicMethods.ts';
import { finding, type Rule } from './Finding.ts';

export const manyFunctions: Rule = (index) =>
  index.declarations.flatMap(({ served }) => served.flatMap((item) => check(item, index.names.factsOf)));

function check({ file, definition }: ServedDefinition, factsOf: FactsOf): Diagnostic[] {
  if (definition.kind !== 'class') return [];
  const methods = publicMethods(definition, factsOf(file));
  const [only] = methods;
  const found = (message: string, fix: string) => [
    finding('many-functions', {
      file,
      range: definition.nameRange,
      message,
      related: methods.map(({ name, nameRange }) => ({
        file,
        range: nameRange,
        message: `${name} is a public method.`,
      })),
      fix,
    }),
  ];
  if (!only) {
    return found(
      `The class ${definition.name} has no public method of its own, so its endpoint has nothing to serve.`,
      'Add one method whose name does not begin with an underscore; inherited methods, properties and close do not count.',
    );
  }
  if (methods.length > 1) {
    const names = methods.map(({ name }) => name).join(', ');
    return found(
      `The class ${definition.name} has ${methods.length} public methods (${names}), and its endpoint serves exactly one.`,
      `Keep one, and begin the others' names with an underscore, for example _${only.name}.`,
    );
  }
  if (!isUnbound(only)) return [];
  return found(
    `${definition.name}.${only.name} is a static or class method, and an endpoint calls a method of the class's instance.`,
    `Make it a plain method: def ${only.name}(self, ...).`,
  );
}
