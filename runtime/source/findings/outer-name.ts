import type { Absence, BodyRead } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import { isBuiltin } from '../declarations/builtinNames.ts';
import type { Finding } from './Finding.ts';

/**
 * A body reads a name of the module that is not there on a worker: it is made under `if __name__ == "__main__"` or
 * `if TYPE_CHECKING`, deleted, or made after the module has ended.
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
 * Repaired:
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
      // A definition after the module's end does not exist itself, which another finding reports.
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
    why: `${name} is there only under if __name__ == "__main__", which a worker does not run`,
    fix: `Move what makes ${name} out of that block, or into the function.`,
    here: `${name} is made here.`,
  }),
  'type-checking': (name) => ({
    why: `${name} is there only under if TYPE_CHECKING, which a worker does not run`,
    fix: `Import or make ${name} inside of the function.`,
    here: `${name} is there for type checkers alone.`,
  }),
  elsewhere: (name) => ({
    why: `${name} is only defined for another operating system or Python version than the worker's`,
    fix: `Define ${name} in the other branch too, or inside the function.`,
    here: `${name} is defined here, which a worker does not run.`,
  }),
  exit: (name, { range }) => ({
    why: `${name} is made in line ${range.start.line + 1}, after the end of its module`,
    fix: `Move what makes ${name} above that end, or into the function.`,
    here: `${name} is made here, which a worker does not come to.`,
  }),
  deleted: (name, { range }) => ({
    why: `${name} is deleted in line ${range.start.line + 1}, before any call`,
    fix: `Remove that del, or make ${name} inside of the function.`,
    here: `${name} is deleted here.`,
  }),
  handler: (name, { range }) => ({
    why: `${name} belongs to the except clause in line ${range.start.line + 1}, at whose end Python deletes it`,
    fix: `Keep it by another name, for example last_${name} = ${name}, which is set before the try as well.`,
    here: `${name} is bound for this clause only.`,
  }),
};
