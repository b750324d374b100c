/** A class as a declaration → the methods that it offers. */
import type { Definition, FileFacts } from '../facts/FileFacts.ts';

/** Methods of the class's own body; inherited ones, properties and `close` do not count. */
export function publicMethods(definition: Definition, facts: FileFacts | null): Definition[] {
  if (!facts) return [];
  return facts.definitions.filter(
    (method) =>
      method.scope === definition.body &&
      method.kind === 'function' &&
      !method.name.startsWith('_') &&
      method.name !== 'close' &&
      !method.decorators.some(({ path }) =>
        /^(?:property|cached_property|setter|getter|deleter)$/.test(path?.at(-1) ?? ''),
      ),
  );
}
