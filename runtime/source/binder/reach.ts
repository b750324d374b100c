/** Whether a worker comes to run a statement, as far as its own file tells. */

/**
 * Why a statement may not be run. Workers never run `main`, `type-checking` and `elsewhere`, which is for another system
 * or Python. `fallback`: a handler of a failed import. `optional`: its own failure is foreseen, or only the machine
 * decides. `python 11 12` is for the versions 3.11 and 3.12, which the project decides; one of the words for what may
 * fail may follow.
 */
export type Guard = NeverRun | VersionGuard | FailureGuard;

export type NeverRun = 'main' | 'type-checking' | 'elsewhere';
type VersionGuard = `python ${string}`;
type FailureGuard = 'fallback' | 'optional';

/** One of the branches of a compound statement, of which a run takes one: the statement's place, and which branch. */
interface Arm {
  line: number;
  character: number;
  arm: number;
}

/** What is known of whether a statement is run. Without the optional properties it is in no block and in no branch. */
export interface Reach {
  guard: Guard | null;
  /** It stands in a block of its scope, so that it may be passed over. */
  conditional?: boolean;
  /** Branches that it is in, the outermost first. */
  arms?: readonly Arm[];
}

/** What a condition says of the block that it is over, and of all the clauses after it. */
export interface BranchGuards {
  first: Guard | null;
  others: Guard | null;
}

/** Only the reach of an object that has more properties. */
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

/** What two guards around one statement say together; of two that keep it from being run the outer one counts. */
export function bothGuards(outer: Guard | null, inner: Guard | null): Guard | null {
  if (!isRun(outer) || inner === null) return outer;
  if (!isRun(inner) || outer === null) return inner;
  const [a, b] = [partsOf(outer), partsOf(inner)];
  const failure = [a.failure, b.failure].includes('fallback') ? 'fallback' : (a.failure ?? b.failure);
  return versionGuard((minor) => a.minors.has(minor) && b.minors.has(minor), failure);
}

/** What is run where one of two guards lets it. */
export function eitherGuard(one: Guard | null, other: Guard | null): Guard | null {
  if (!isRun(other)) return one;
  if (!isRun(one)) return other;
  if (one === null || other === null) return null;
  const [a, b] = [partsOf(one), partsOf(other)];
  return versionGuard((minor) => a.minors.has(minor) || b.minors.has(minor));
}

/** The minor versions of Python 3 that workers may have; later ones count as the last of these. */
const MINORS = Array.from({ length: 20 }, (_, at) => 10 + at);

/** The guard of what is for some of these versions, and may fail as well. */
export function versionGuard(
  isFor: (minor: number) => boolean,
  failure: FailureGuard | null = null,
): Guard | null {
  const minors = MINORS.filter(isFor);
  if (minors.length === 0) return 'elsewhere';
  if (minors.length === MINORS.length) return failure;
  return `python ${[...minors, ...(failure ? [failure] : [])].join(' ')}`;
}

/** Whether the version of Python decides a guard. */
export function dependsOnVersion(guard: Guard | null): boolean {
  return guard?.startsWith('python ') ?? false;
}

/** What a guard comes to for a minor version of Python 3. */
export function guardForVersion(guard: Guard | null, minor: number): Guard | null {
  if (guard === null || !dependsOnVersion(guard)) return guard;
  const { minors, failure } = partsOf(guard);
  return minors.has(Math.min(minor, MINORS.at(-1)!)) ? failure : 'elsewhere';
}

/** The versions that a guard lets run, and what else it says. */
function partsOf(guard: Guard): { minors: ReadonlySet<number>; failure: FailureGuard | null } {
  const failure = /fallback|optional/.exec(guard)?.[0] as FailureGuard | undefined;
  const minors = guard.match(/\d+/g)?.map(Number) ?? MINORS;
  return { minors: new Set(minors), failure: failure ?? null };
}
