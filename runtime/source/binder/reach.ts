/** Whether a worker comes to run a statement, as far as its own file tells. */

/**
 * Why a statement may not be run. Workers never run `main`, `type-checking` and `elsewhere`, which is for another system
 * or Python. `fallback`: a handler of a failed import. `optional`: its own failure is foreseen, or only the machine
 * decides. `python 11-13` is for the versions from 3.11 on before 3.13, which the project decides.
 */
export type Guard = NeverRun | VersionGuard | 'fallback' | 'optional';

export type NeverRun = 'main' | 'type-checking' | 'elsewhere';
export type VersionGuard = `python ${number}-${number}`;

/** One of the branches of a compound statement, of which a run takes one: the statement's place, and which branch. */
interface Arm {
  line: number;
  character: number;
  arm: number;
}

/** What is known of whether a statement is run; what is absent is so mostly. */
export interface Reach {
  guard: Guard | null;
  /** It stands in a block of its scope, so that it may be passed over. */
  conditional?: boolean;
  /** Branches that it is in, the outermost first. */
  arms?: readonly Arm[];
}

/** That part alone of what tells more. */
export function reachOf({ guard, conditional, arms }: Reach): Reach {
  return { guard, ...(conditional && { conditional }), ...(arms && { arms }) };
}

/** Whether a worker may run what has this guard. */
export function isRun(guard: Guard | null): guard is Exclude<Guard, NeverRun> | null {
  return guard !== 'main' && guard !== 'type-checking' && guard !== 'elsewhere';
}

/** Whether no run of their file comes to both statements. */
export function areExclusive({ arms: a = [] }: Reach, { arms: b = [] }: Reach): boolean {
  return a.some(({ line, character, arm }, at) => {
    const other = b[at];
    return other?.line === line && other.character === character && other.arm !== arm;
  });
}

const STRENGTH = /^(?:(main|type-checking|elsewhere)|(python).*|(fallback)|(optional))$/;

/** What two guards around one statement say together; of equal ones the outer one counts. */
export function bothGuards(outer: Guard | null, inner: Guard | null): Guard | null {
  if (outer === null || inner === null) return outer ?? inner;
  const [a, b] = [versionsOf(outer), versionsOf(inner)];
  if (a && b) return versionGuard(Math.max(a.from, b.from), Math.min(a.to, b.to));
  return strengthOf(inner) < strengthOf(outer) ? inner : outer;
}

function strengthOf(guard: Guard): number {
  return STRENGTH.exec(guard)!
    .slice(1)
    .findIndex((group) => group !== undefined);
}

/** Workers have Python 3.10 or newer. */
const OLDEST_MINOR = 10;

/** The guard of what is for some minor versions of Python 3: null for all that workers may have. */
export function versionGuard(from: number, to: number): VersionGuard | 'elsewhere' | null {
  if (to <= OLDEST_MINOR || to <= from) return 'elsewhere';
  return from <= OLDEST_MINOR && to === Number.POSITIVE_INFINITY ? null : `python ${from}-${to}`;
}

/** The versions that a guard is for; null for another guard. */
export function versionsOf(guard: Guard | null): { from: number; to: number } | null {
  const [, from, to] = /^python (\d+)-(\d+|Infinity)$/.exec(guard ?? '') ?? [];
  return from === undefined ? null : { from: Number(from), to: Number(to) };
}
