/** A body that reads a name of its module which no worker has: calling the function would fail with a NameError. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Absence, BodyRead } from '../binder/FileFacts.ts';
import { isBuiltin } from '../declarations/builtinNames.ts';
import { finding, type Rule } from './Finding.ts';

export const outerName: Rule = (index, { python }) =>
  index.bodies.flatMap(({ file, definition }) => {
    const { facts } = index;
    if (!facts) return [];
    // What stands behind the module's end is lost itself, which its own finding says.
    const isLost = facts.exit !== null && facts.exit.range.start.line < definition.line - 1;
    const at = facts.definitions.indexOf(definition);
    const told = new Set<string>();
    return facts.reads.flatMap(({ definition: reader, path, range, absent }): Diagnostic[] => {
      const name = path[0]!;
      if (reader !== at || !absent || told.has(name) || isBuiltin(name, python)) return [];
      if (isLost && absent.by === 'exit') return [];
      told.add(name);
      const { why, fix, here } = TEXTS[absent.by](name, absent);
      return [
        finding('outer-name', {
          file,
          range,
          message: `${why}, so ${definition.name} would fail here on a worker.`,
          related: [{ file, range: absent.range, message: here }],
          fix,
        }),
      ];
    });
  });

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
    why: `${name} is there only for another system or Python than workers have`,
    fix: `Make ${name} in the other branch as well, or inside of the function.`,
    here: `${name} is made here, which a worker does not come to.`,
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
