/** A file's declarations → names that they use before the module binds them, so that importing the module fails. */
import type { Call } from '../binder/Expression.ts';
import type { Decorator } from '../binder/FileFacts.ts';
import type { NeverRun, Reach } from '../binder/reach.ts';
import { isBuiltin } from '../declarations/builtinNames.ts';
import { earlyReads } from '../declarations/earlyReads.ts';
import type { FileIndex } from './FileIndex.ts';
import type { FoundText } from './Finding.ts';

/** Where names are that no worker binds. */
const UNREACHED: Record<NeverRun, string> = {
  main: 'under if __name__ == "__main__", which a worker does not run',
  'type-checking': 'under if TYPE_CHECKING, which a worker does not run',
  elsewhere: 'in a branch that a worker does not take',
};

/** Names in the calls of declarations and in the decorators of what they serve, each place once. */
export function* unboundNames(
  { declarations, facts, file }: FileIndex,
  python: string | null,
): Iterable<FoundText> {
  const code = new Map<Call | Decorator, Reach & { scope: number }>();
  for (const one of declarations) {
    if (one.file === file && (one.form === 'instance' || one.form === 'loose')) code.set(one.call, one);
    for (const { file: place, definition } of [...one.served, ...one.routes])
      if (place === file) for (const decorator of definition.decorators) code.set(decorator, definition);
  }
  if (!facts) return;
  for (const [evaluated, statement] of code) {
    for (const { name, range, bound } of earlyReads(facts, statement, evaluated)) {
      if (isBuiltin(name, python)) continue;
      const where = typeof bound === 'number' ? `in line ${bound}, below its use here` : UNREACHED[bound];
      yield {
        file,
        range,
        message: `${name} is bound only ${where}, so a worker cannot import this module.`,
        fix:
          typeof bound === 'number'
            ? `Move the statement that binds ${name} above this one.`
            : `Bind ${name} outside of that block.`,
      };
    }
  }
}
