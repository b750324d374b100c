import type { ServedDefinition } from '../declarations/Declaration.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import { isCertain, isUnbound, publicMethods } from '../declarations/publicMethods.ts';
import type { Finding, FoundText } from './Finding.ts';

/**
 * An endpoint serves a class through its only public method.
 *
 * - Counted: public methods, aliases (`predict = _go`) and lambdas of the class body.
 * - Not counted: inherited methods, properties, `close`, names that begin with `_`, methods that the class body
 *   deletes, and methods with a decorator of your own, which can turn the method into an attribute.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * class Model:
 *     """Answers questions."""
 *
 *     def load(self): ...
 *
 *     def answer(self, text: str): ...
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * class Model:
 *     """Answers questions."""
 *
 *     def _load(self): ...
 *
 *     def answer(self, text: str): ...
 * ```
 */
export const manyFunctions: Finding = {
  code: 'many-functions',
  severity: 'error',
  chapter: 'Functions and classes',
  find: ({ declarations, names }) =>
    declarations.flatMap(({ served }) => served.flatMap((item) => faultOf(item, names) ?? [])),
};

function faultOf({ file, definition }: ServedDefinition, names: NameResolver): FoundText | null {
  if (definition.kind !== 'class') return null;
  const possible = publicMethods(names, file, definition);
  const methods = possible.filter((method) => isCertain(names, file, method));
  const [only] = methods;
  const related = methods.map(({ name, nameRange: range }) => {
    return { file, range, message: `${name} is a public method.` };
  });
  const place = { file, range: definition.nameRange, related };
  if (possible.length === 0) {
    return {
      ...place,
      message: `The class ${definition.name} has no public method of its own, so its endpoint has nothing to serve.`,
      fix: 'Add one method whose name does not begin with an underscore; inherited methods, properties and close do not count.',
    };
  }
  if (methods.length > 1) {
    const listed = methods.map(({ name }) => name).join(', ');
    return {
      ...place,
      message: `The class ${definition.name} has ${methods.length} public methods (${listed}), but its endpoint serves exactly one.`,
      fix: `Keep one, and prefix the names of the others with an underscore, for example _${only!.name}.`,
    };
  }
  if (!only || !isUnbound(only)) return null;
  return {
    ...place,
    message: `${definition.name}.${only.name} is a static or class method, but an endpoint calls a method of an instance.`,
    fix: `Make it an instance method: def ${only.name}(self, ...).`,
  };
}
