/** Whether a worker comes to run a statement, as far as its own file tells. */

/**
 * Why a statement may not be run. Workers never run `main`, `type-checking` and `elsewhere`, which is for another system
 * or Python. `fallback`: a handler of a failed import. `optional`: its own failure is foreseen, or only the machine
 * decides. `python 11 12` is for the versions 3.11 and 3.12, which the project decides.
 */
export type Guard = NeverRun | VersionGuard | 'fallback' | 'optional';

export type NeverRun = 'main' | 'type-checking' | 'elsewhere';
export type VersionGuard = `python ${string}`;

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
  const [a, b] = [minorsOf(outer), minorsOf(inner)];
  if (a && b) return versionGuard((minor) => a.has(minor) && b.has(minor));
  return strengthOf(inner) < strengthOf(outer) ? inner : outer;
}

/** What is run where one of two guards lets it. */
export function eitherGuard(one: Guard | null, other: Guard | null): Guard | null {
  if (!isRun(other)) return one;
  if (!isRun(one)) return other;
  const [a, b] = [minorsOf(one), minorsOf(other)];
  return a && b ? versionGuard((minor) => a.has(minor) || b.has(minor)) : null;
}

function strengthOf(guard: Guard): number {
  return STRENGTH.exec(guard)!
    .slice(1)
    .findIndex((group) => group !== undefined);
}

/** The minor versions of Python 3 that workers may have: those after the last one are as it is. */
const MINORS = Array.from({ length: 20 }, (_, at) => 10 + at);

/** The guard of what is for some of these versions: null for all of them. */
export function versionGuard(isFor: (minor: number) => boolean): VersionGuard | 'elsewhere' | null {
  const minors = MINORS.filter(isFor);
  if (minors.length === 0) return 'elsewhere';
  return minors.length === MINORS.length ? null : `python ${minors.join(' ')}`;
}

/** Whether a guard lets a minor version of Python 3 run; null for a guard that is not about versions. */
export function isForVersion(guard: Guard | null, minor: number): boolean | null {
  return minorsOf(guard)?.has(Math.min(minor, MINORS.at(-1)!)) ?? null;
}

function minorsOf(guard: Guard | null): ReadonlySet<number> | null {
  const [, ...minors] = guard?.startsWith('python ') ? guard.split(' ') : [];
  return minors.length > 0 ? new Set(minors.map(Number)) : null;
}
