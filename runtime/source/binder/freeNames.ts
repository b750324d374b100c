/**
 * A function's body → the names of its module that running the body reads, by Python's own rules of scope. What the
 * module makes of a name is its readers' to know.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { comparePositions, rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { isGlobal } from './LexicalScope.ts';
import type { NameUse } from './NameUse.ts';
import { NameWalk } from './NameWalk.ts';
import { isRun } from './reach.ts';
import type { WordPlaces } from './WordPlaces.ts';

/** One read of a name that the function does not bind itself. */
export interface FreeName {
  /** The name, with the attributes that are read of it: `['settings', 'SIZE']`. */
  path: string[];
  /** The name's own place, without the attributes. */
  range: Range;
  /** Whether a handler of `NameError` around it foresees that the name is not there. */
  foreseen: boolean;
}

/**
 * The free names of a `function_definition`, in order of place. Its decorators, defaults and annotations are run with
 * the module and are none of the body's. Annotations inside the body are left out too, since newer Pythons run them
 * only when asked; so is what no worker runs.
 *
 * @param words - The names that count; all when absent.
 */
export function freeNames(definition: SyntaxNode, text: string, words?: WordPlaces): FreeName[] {
  const walk = new NameWalk(text, words ? { words, bindings: 'wanted' } : {});
  walk.body(definition);
  // What cannot be read may bind what it seems to read.
  const broken = new Set(walk.uses.filter(({ flow }) => flow.broken).map(({ name }) => name));
  return walk.uses
    .filter((use) => isRead(use) && !broken.has(use.name) && isGlobal(use.scope, use.name))
    .map(({ path, name, node, flow }) => ({
      path: path ?? [name],
      range: rangeOf(node),
      foreseen: flow.foreseen,
    }))
    .sort((a, b) => comparePositions(a.range.start, b.range.start));
}

function isRead({ role, flow: { annotation, guard } }: NameUse): boolean {
  return role === 'read' && !annotation && isRun(guard);
}
