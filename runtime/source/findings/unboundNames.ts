/** A file's declarations → names that they use before the module binds them, so that importing the module fails. */
import type { Call } from '../binder/Expression.ts';
import type { Decorator } from '../binder/FileFacts.ts';
import type { NeverRun, Reach } from '../binder/reach.ts';
import { isBuiltin } from '../declarations/builtinNames.ts';
import { earlyReads } from '../declarations/earlyReads.ts';
import type { FileIndex } from './FileIndex.ts';
import type { FoundText } from './Finding.ts';

/** Where the text defines a name that no worker has. */
const UNREACHED: Record<NeverRun, string> = {
  main: 'under if __name__ == "__main__", which a worker does not run',
  'type-checking': 'under if TYPE_CHECKING, which a worker does not run',
  elsewhere: 'in a branch that a worker does not take',
};

/**
 * Checks the calls of declarations and the decorators of the functions that they serve, each of them once.
 */
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
      const why =
        typeof bound === 'number'
          ? `${name} is used here before it is defined on line ${bound}`
          : `${name} is defined only ${UNREACHED[bound]}`;
      yield {
        file,
        range,
        message: `${why}, so a worker cannot import this module.`,
        fix:
          typeof bound === 'number'
            ? `Move the statement that defines ${name} above this one.`
            : `Define ${name} outside that block.`,
      };
    }
  }
}
