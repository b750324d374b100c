/** Describes whether a worker runs a statement, judged only by the statement's file. */

/**
 * Why a statement may not run. Workers never run `main`, `type-checking` and `elsewhere`, which is code for
 * another system or Python version. `fallback`: in a handler of a failed import. `optional`: its failure is
 * caught, or whether it runs depends on the machine. `python 11 12`: only for the versions 3.11 and 3.12; the
 * project decides the version. `fallback` or `optional` may follow.
 */
export type Guard = NeverRun | VersionGuard | FailureGuard;

export type NeverRun = 'main' | 'type-checking' | 'elsewhere';
type VersionGuard = `python ${string}`;
type FailureGuard = 'fallback' | 'optional';

/**
 * One branch of a compound statement: the position of the statement, and the number of the branch. A run
 * takes only one branch.
 */
export interface Arm {
  line: number;
  character: number;
  arm: number;
  /** Values that module-level names must have for this branch. */
  needs?: readonly NameTest[];
}

/** Whether the value of a name must be true or false in an `if`. */
export interface NameTest {
  name: string;
  is: boolean;
}

/**
 * What is known about whether a statement runs. Without the optional properties, it is not in a block or a
 * branch.
 */
export interface Reach {
  guard: Guard | null;
  /** Whether the statement is in a block of its scope, so that it may be skipped. */
  conditional?: boolean;
  /** Branches that contain the statement, the outermost first. */
  arms?: readonly Arm[];
}

/** The guards that a condition puts on its own block (`first`) and on all later clauses (`others`). */
export interface BranchGuards {
  first: Guard | null;
  others: Guard | null;
}

/** Copies only the reach of an object that has more properties. */
export function reachOf({ guard, conditional, arms }: Reach): Reach {
  return { guard, ...(conditional && { conditional }), ...(arms && { arms }) };
}

/** Whether a worker may run code with this guard. */
export function isRun(guard: Guard | null): guard is Exclude<Guard, NeverRun> | null {
  return guard !== 'main' && guard !== 'type-checking' && guard !== 'elsewhere';
}

/** Whether no run of the file reaches both statements. */
export function areExclusive({ arms: a = [] }: Reach, { arms: b = [] }: Reach): boolean {
  const needed = b.flatMap(({ needs = [] }) => needs);
  return a.some(({ line, character, arm, needs = [] }, at) => {
    const other = b[at];
    const isOther = other?.line === line && other.character === character && other.arm !== arm;
    return isOther || needs.some((one) => needed.some(({ name, is }) => name === one.name && is !== one.is));
  });
}

/** The guard of a statement inside two guards. If both keep it from running, the outer guard counts. */
export function bothGuards(outer: Guard | null, inner: Guard | null): Guard | null {
  if (!isRun(outer) || inner === null) return outer;
  if (!isRun(inner) || outer === null) return inner;
  const [a, b] = [partsOf(outer), partsOf(inner)];
  const failure = [a.failure, b.failure].includes('fallback') ? 'fallback' : (a.failure ?? b.failure);
  return versionGuard((minor) => a.minors.has(minor) && b.minors.has(minor), failure);
}

/** The guard of code that runs if either of two guards allows it. */
export function eitherGuard(one: Guard | null, other: Guard | null): Guard | null {
  if (!isRun(other)) return one;
  if (!isRun(one)) return other;
  if (one === null || other === null) return null;
  const [a, b] = [partsOf(one), partsOf(other)];
  return versionGuard((minor) => a.minors.has(minor) || b.minors.has(minor));
}

/** The minor versions of Python 3 that workers may have. Later versions count as the last one. */
const MINORS = Array.from({ length: 20 }, (_, at) => 10 + at);

/** The guard of code for some of these versions. The code may also be allowed to fail. */
export function versionGuard(
  isFor: (minor: number) => boolean,
  failure: FailureGuard | null = null,
): Guard | null {
  const minors = MINORS.filter(isFor);
  if (minors.length === 0) return 'elsewhere';
  if (minors.length === MINORS.length) return failure;
  return `python ${[...minors, ...(failure ? [failure] : [])].join(' ')}`;
}

/** Whether a guard depends on the Python version. */
export function dependsOnVersion(guard: Guard | null): boolean {
  return guard?.startsWith('python ') ?? false;
}

/** The guard that remains for one minor version of Python 3. */
export function guardForVersion(guard: Guard | null, minor: number): Guard | null {
  if (guard === null || !dependsOnVersion(guard)) return guard;
  const { minors, failure } = partsOf(guard);
  return minors.has(Math.min(minor, MINORS.at(-1)!)) ? failure : 'elsewhere';
}

/** The versions that a guard allows, and whether it allows a failure. */
function partsOf(guard: Guard): { minors: ReadonlySet<number>; failure: FailureGuard | null } {
  const failure = /fallback|optional/.exec(guard)?.[0] as FailureGuard | undefined;
  const minors = guard.match(/\d+/g)?.map(Number) ?? MINORS;
  return { minors: new Set(minors), failure: failure ?? null };
}
