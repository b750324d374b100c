/**
 * A statement of a module → names that it reads before the module binds them, so that no worker can import
 * the module.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { bindingsOf, placeOf } from '../binder/bindings.ts';
import type { Call, Expression } from '../binder/Expression.ts';
import type { Decorator, FileFacts } from '../binder/FileFacts.ts';
import { isRun, type NeverRun, type Reach } from '../binder/reach.ts';
import { comparePositions } from '../syntax/range.ts';

export interface EarlyRead {
  name: string;
  range: Range;
  /**
   * The later line that binds the name, counted from 1, or why no worker runs the statement that binds it.
   */
  bound: number | NeverRun;
}

/**
 * Reads that always fail: the statement runs on every import, and nothing before it can bind the name. The
 * name may still be a builtin.
 *
 * @param code - The call or decorator that the statement evaluates.
 */
export function earlyReads(
  facts: FileFacts,
  { scope, guard, conditional }: Reach & { scope: number },
  code: Call | Decorator,
): EarlyRead[] {
  if (scope !== 0 || guard !== null || conditional || facts.bindsUnseen) return [];
  return namesIn(evaluated(code)).flatMap(({ name, range }) => {
    const isAbove = (start: Range['start']) => comparePositions(start, range.start) <= 0;
    const mayBeGiven =
      (facts.exit !== null && isAbove(facts.exit.range.start)) ||
      facts.imports.some((one) => one.scope === 0 && one.names?.[0] === '*' && isAbove(one.range.start));
    const bindings = bindingsOf(facts.scopes[0]!.bindings, name).filter(({ kind }) => kind !== 'changed');
    if (mayBeGiven || bindings.length === 0 || bindings.some(({ kind }) => kind === 'opaque')) return [];
    const places = bindings.map((binding) => placeOf(binding, facts.definitions));
    const run = places.filter((place) => isRun(place.guard));
    if (run.some(({ start }) => isAbove(start))) return [];
    const never = places[0]!.guard;
    return [{ name, range, bound: run[0] || isRun(never) ? run[0]!.start.line + 1 : never }];
  });
}

function evaluated(code: Call | Decorator): Expression {
  const call = 'callee' in code ? code : code.call;
  if (call) return { kind: 'call', call, range: call.range };
  const { path, pathRange: range } = code as Decorator;
  return path ? { kind: 'reference', path, range } : { kind: 'opaque', range };
}

/** The names that code reads. Code that may not be evaluated, such as the body of a lambda, is opaque. */
function namesIn(read: Expression): { name: string; range: Range }[] {
  switch (read.kind) {
    case 'reference':
      return [{ name: read.path[0]!, range: read.range }];
    case 'call': {
      const { callee, calleeRange, arguments: given } = read.call;
      return [{ name: callee[0]!, range: calleeRange }, ...given.flatMap(({ value }) => namesIn(value))];
    }
    case 'method':
      return [...namesIn(read.object), ...read.arguments.flatMap(({ value }) => namesIn(value))];
    case 'concatenation':
      return read.parts.flatMap(namesIn);
    case 'sequence':
      return read.items.flatMap(namesIn);
    case 'dict':
      return read.entries.flatMap(({ key, value }) => [...(key ? namesIn(key) : []), ...namesIn(value)]);
    case 'binary':
      return [...namesIn(read.left), ...namesIn(read.right)];
    case 'format':
    case 'spread':
    case 'unary':
      return namesIn(read.value);
    case 'attribute':
      return namesIn(read.object);
    case 'subscript':
      return [...namesIn(read.object), ...namesIn(read.index)];
    default:
      return [];
  }
}
