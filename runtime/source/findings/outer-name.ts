import type { Absence, BodyRead } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import { isBuiltin } from '../declarations/builtinNames.ts';
import type { Finding } from './Finding.ts';

/**
 * A function reads a module-level name that does not exist on a worker, because the name is defined under
 * `if __name__ == "__main__"` or `if TYPE_CHECKING`, deleted, or defined after a statement at which the
 * module stops, such as `sys.exit()`.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def greet(name: str):
 *     """Greet somebody."""
 *     return f"{GREETING}, {name}"
 *
 * if __name__ == "__main__":
 *     GREETING = "Hello"
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * GREETING = "Hello"
 *
 * @Endpoint()
 * def greet(name: str):
 *     """Greet somebody."""
 *     return f"{GREETING}, {name}"
 * ```
 */
export const outerName: Finding = {
  code: 'outer-name',
  severity: 'warning',
  chapter: 'Functions and classes',
  *find({ bodies, facts }, { python }) {
    for (const { file, definition } of bodies) {
      if (!facts) continue;
      // A definition after the point where the module stops does not exist either; another finding reports
      // it.
      const isLost = facts.exit !== null && facts.exit.range.start.line < definition.line - 1;
      const at = facts.definitions.indexOf(definition);
      const seen = new Set<string>();
      for (const { definition: reader, path, range, absent } of facts.reads) {
        const name = path[0]!;
        if (reader !== at || !absent || seen.has(name) || isBuiltin(name, python)) continue;
        if (isRun(absent.guard) || (isLost && absent.by === 'exit')) continue;
        seen.add(name);
        const { why, fix, here } = TEXTS[absent.by](name, absent);
        yield {
          file,
          range,
          message: `${why}, so ${definition.name} would fail here on a worker.`,
          related: [{ file, range: absent.range, message: here }],
          fix,
        };
      }
    }
  },
};

type Texts = (
  name: string,
  absent: NonNullable<BodyRead['absent']>,
) => { why: string; fix: string; here: string };

const TEXTS: Record<Absence, Texts> = {
  main: (name) => ({
    why: `${name} is defined only under if __name__ == "__main__", which a worker does not run`,
    fix: `Move the statement that defines ${name} out of that block, or into the function.`,
    here: `${name} is defined here.`,
  }),
  'type-checking': (name) => ({
    why: `${name} is defined only under if TYPE_CHECKING, which a worker does not run`,
    fix: `Import or define ${name} inside the function.`,
    here: `${name} is defined here, for type checkers only.`,
  }),
  elsewhere: (name) => ({
    why: `${name} is defined only for an operating system or Python version that the worker does not have`,
    fix: `Define ${name} in the other branch too, or inside the function.`,
    here: `${name} is defined here, which a worker does not run.`,
  }),
  exit: (name, { range }) => ({
    why: `${name} is defined on line ${range.start.line + 1}, after its module stops`,
    fix: `Move the statement that defines ${name} above the statement that stops the module, or into the function.`,
    here: `${name} is defined here, which a worker does not reach.`,
  }),
  deleted: (name, { range }) => ({
    why: `${name} is deleted on line ${range.start.line + 1}, before any call`,
    fix: `Remove that del, or define ${name} inside the function.`,
    here: `${name} is deleted here.`,
  }),
  handler: (name, { range }) => ({
    why: `${name} belongs to the except clause on line ${range.start.line + 1}, and Python deletes it at the end of that clause`,
    fix: `Assign it to another name, for example last_${name} = ${name}, and set that name before the try too.`,
    here: `${name} exists only in this clause.`,
  }),
};
