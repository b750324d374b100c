/**
 * Which wheels run on a worker, and which of them pip and uv choose: the first in the order of
 * packaging.python.org/specifications/platform-compatibility-tags, as `packaging.tags` lists them for CPython on Linux x86_64
 * with glibc 2.28.
 */

/** Newest glibc of the target, and the oldest that wheels are tagged for (PEP 600). */
const GLIBC_MINORS = { newest: 28, oldest: 5 };
/** Minor version of glibc → the older tag for it. */
const LEGACY = new Map([
  [17, 'manylinux2014_x86_64'],
  [12, 'manylinux2010_x86_64'],
  [5, 'manylinux1_x86_64'],
]);

/** The platform tags of wheels that run on the target, best first. */
export const TARGET_PLATFORMS: readonly string[] = [...platforms()];

/**
 * The wheel that an installer would choose.
 *
 * @param python Minor version of the target, such as `3.12`.
 * @param fileOf Returns the file name of a wheel.
 * @returns The first wheel if none is made for the target.
 */
export function bestWheel<T>(
  wheels: readonly T[],
  python: string,
  fileOf: (wheel: T) => string,
): T | undefined {
  const ranks = rankedTags(python);
  const ranked = wheels.map((wheel) => ({ wheel, ...rankOf(fileOf(wheel), ranks) }));
  // For equal tags, the higher build number wins. Sorting is stable.
  ranked.sort((a, b) => a.rank - b.rank || b.build - a.build);
  return ranked[0]?.wheel;
}

/** Whether a wheel with one of these tags, such as `py2.py3-none-any`, runs on the target. */
export function someRunOnTarget(tags: readonly string[], python: string): boolean {
  const ranks = rankedTags(python);
  return tags.some((tag) => rankOfTag(tag, ranks) < Infinity);
}

function rankOf(file: string, ranks: ReadonlyMap<string, number>): { rank: number; build: number } {
  const match = /^[^-]+-[^-]+(?:-(\d+)[^-]*)?-([^-]+-[^-]+-[^-]+)\.whl$/.exec(file);
  const [, build = '-1', tag = ''] = match ?? [];
  return { rank: rankOfTag(tag, ranks), build: Number(build) };
}

/** Infinity if no worker can use it. */
function rankOfTag(tag: string, ranks: ReadonlyMap<string, number>): number {
  const [pythons = '', abis = '', machines = ''] = tag.split('-');
  const tags = pythons
    .split('.')
    .flatMap((one) =>
      abis.split('.').flatMap((abi) => machines.split('.').map((on) => `${one}-${abi}-${on}`)),
    );
  return Math.min(...tags.map((one) => ranks.get(one) ?? Infinity));
}

function rankedTags(python: string): Map<string, number> {
  return new Map([...tags(Number(python.split('.')[1]))].map((tag, rank) => [tag, rank]));
}

/** @param minor - The minor version of Python 3. */
function* tags(minor: number): Generator<string> {
  const own = `cp3${minor}`;
  for (const abi of [own, 'abi3', 'none']) yield* onEach(`${own}-${abi}`);
  for (let older = minor - 1; older >= 2; older--) yield* onEach(`cp3${older}-abi3`);
  const generic = [
    `py3${minor}`,
    'py3',
    ...Array.from({ length: minor }, (_, index) => `py3${minor - 1 - index}`),
  ];
  for (const version of generic) yield* onEach(`${version}-none`);
  yield `${own}-none-any`;
  for (const version of generic) yield `${version}-none-any`;
}

function onEach(prefix: string): string[] {
  return TARGET_PLATFORMS.map((platform) => `${prefix}-${platform}`);
}

function* platforms(): Generator<string> {
  for (let minor = GLIBC_MINORS.newest; minor >= GLIBC_MINORS.oldest; minor--) {
    yield `manylinux_2_${minor}_x86_64`;
    const legacy = LEGACY.get(minor);
    if (legacy) yield legacy;
  }
  yield 'linux_x86_64';
}
