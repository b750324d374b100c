/**
 * The facts of a file → the same facts, with conditions on module-level names decided, such as `if
 * DEBUG:` where nothing changes `DEBUG` after that statement.
 */
import type { Position } from '../../contract/diagnostic.ts';
import { comparePositions } from '../syntax/range.ts';
import { bindingsOf, placeOf } from './bindings.ts';
import type { FileFacts } from './FileFacts.ts';
import { mapReach } from './mapReach.ts';
import { type Arm, bothGuards } from './reach.ts';

/**
 * Keeps the conditions on names that have the same value in all conditions, so that opposite conditions
 * exclude each other. If a literal is the only binding of a name, branches for the other value do not run.
 */
export function decideNames(facts: FileFacts): FileFacts {
  const { bindings, stars } = facts.scopes[0]!;
  const isClear = stars.length === 0 && !facts.bindsUnseen;
  return mapReach(facts, (part) => {
    const { guard, arms } = part;
    if (guard === undefined || !arms?.some(({ needs }) => needs)) return part;
    const decided = arms.map(({ needs = [], ...arm }): Arm => {
      const known = needs.filter(({ name }) => isClear && isBoundBefore(name, arm));
      return known.length > 0 ? { ...arm, needs: known } : arm;
    });
    const isOff = decided.some(({ needs = [] }) => needs.some(({ name, is }) => valueOf(name) === !is));
    return { ...part, arms: decided, guard: isOff ? bothGuards(guard, 'elsewhere') : guard };
  });

  function isBoundBefore(name: string, place: Position): boolean {
    const bound = bindingsOf(bindings, name);
    const isBefore = (start: Position) => comparePositions(start, place) < 0;
    return (
      bound.length > 0 &&
      bound.every(
        (one) =>
          one.kind !== 'opaque' && one.kind !== 'changed' && isBefore(placeOf(one, facts.definitions).start),
      )
    );
  }

  /** Whether the literal that a name is bound to is true; null if the text does not decide it. */
  function valueOf(name: string): boolean | null {
    const [only, other] = bindingsOf(bindings, name);
    if (only?.kind !== 'value' || other || only.conditional || only.guard !== null) return null;
    const { expression } = only;
    if (expression.kind === 'none') return false;
    return 'value' in expression && typeof expression.value !== 'object' ? Boolean(expression.value) : null;
  }
}
