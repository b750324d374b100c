/**
 * A mutation round: `npm run mutants -- 40 1 source build`. Changes one place at a time, 40 in each of these rooms, or of all
 * rooms, and runs the tests that reach it. Another seed than 1 chooses other places. A mutant that no test notices is
 * printed with its place: answer it with a test, or with a reason in noDifference.ts. Needs root: each test runs in a view of
 * the machine that is thrown away.
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { placesRun } from './coverage.ts';
import { whyNoDifference } from './noDifference.ts';
import { choose, DOCS_CHECK, type PlacedMutant, ROOMS, root } from './rooms.ts';
import { Sandbox } from './sandbox.ts';
import { sourcePrograms } from './sourcePrograms.ts';

/** A test file that passes without a mutant. */
interface Trial {
  test: string;
  seconds: number;
  reached: Set<PlacedMutant>;
}

/** Of a test file without a mutant, in seconds. */
const LONGEST = 180;
/**
 * Of all tests of a mutant, in seconds without it. Later ones rarely notice what the first ones do not: they reach it on
 * their way to something else.
 */
const ENOUGH = 900;

const [count = '40', seed = '1', ...named] = process.argv.slice(2);
const rooms = named.length > 0 ? named : Object.keys(ROOMS);
const unknown = rooms.find((room) => !ROOMS[room]);
if (unknown !== undefined)
  throw new Error(`Unknown room "${unknown}". Choose from ${Object.keys(ROOMS).join(', ')}.`);
// Most tests wait for other processes.
const sandboxes = Array.from({ length: 2 * availableParallelism() }, () => new Sandbox());
try {
  // Otherwise every mutant would count as killed. Any file will do.
  const unchanged = { 'README.md': readFileSync(path.join(root, 'README.md'), 'utf8') };
  if ((await sandboxes[0]!.run([], unchanged)).ended !== 'passed')
    throw new Error(
      'The project cannot be built in a sandbox: run as root, with overlayfs and user namespaces.',
    );
  const chosen = rooms.flatMap((room) => choose(room, Number(count), Number(seed)));
  const ignored = chosen.filter((mutant) => whyNoDifference(mutant) !== null);
  const mutants = chosen.filter((mutant) => !ignored.includes(mutant));
  const patterns = rooms.flatMap((room) => ROOMS[room]!.tests);
  const tests = globSync(patterns, { cwd: root }).toSorted();
  if (patterns.includes(DOCS_CHECK)) tests.unshift(DOCS_CHECK);
  const tried = await inParallel(tests, (test, sandbox) => withoutMutant(test, mutants, sandbox));
  const trials = tried.filter((trial) => trial !== null);
  const killed = await inParallel(mutants, (mutant, sandbox) => isKilled(mutant, trials, sandbox));
  for (const mutant of ignored) print(mutant, `makes no difference: ${whyNoDifference(mutant)}`);
  for (const room of rooms)
    report(
      room,
      killed.filter((_, index) => mutants[index]!.room === room),
    );
  if (rooms.length > 1) report('all', killed);
  process.stdout.write(`Besides these, ${ignored.length} make no difference.\n`);
} finally {
  for (const sandbox of sandboxes) sandbox.close();
}

function report(what: string, killed: readonly (boolean | null)[]): void {
  const valid = killed.filter((one) => one !== null);
  const kills = valid.filter(Boolean).length;
  const share = Math.round((100 * kills) / valid.length);
  process.stdout.write(`${what}: ${kills} of ${valid.length} mutants killed, ${share} %\n`);
}

/** One item at a time in each sandbox. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item, sandbox: Sandbox) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        results[next[0]] = await run(next[1], sandbox);
    }),
  );
  return results;
}

/** Runs a test file on the sources as they are. Null if it fails, or reaches no mutant of the rooms that it tests. */
async function withoutMutant(
  test: string,
  mutants: readonly PlacedMutant[],
  sandbox: Sandbox,
): Promise<Trial | null> {
  const { ended, seconds, coverage } = await sandbox.run(
    [{ test, limit: LONGEST }],
    sourcePrograms(),
    (coverage) => ({
      NODE_V8_COVERAGE: coverage,
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'flushCoverage.ts')}`,
    }),
  );
  if (ended !== 'passed') process.stdout.write(`left out, since it fails without a mutant: ${test}\n`);
  const ofItsRooms = mutants.filter(({ room }) =>
    ROOMS[room]!.tests.some((pattern) => path.matchesGlob(test, pattern)),
  );
  // Processes of Python leave no coverage.
  const ofPython = ofItsRooms.filter(({ file }) => file.endsWith('.py'));
  const reached = placesRun(coverage, root, ofItsRooms).union(new Set(ofPython));
  return ended === 'passed' && reached.size > 0 ? { test, seconds, reached } : null;
}

/**
 * Whether a test file fails on a mutant; null if it cannot be built. The check of the pages is run first, since it takes a
 * second, then tests that have the name of its module or import it, then the quickest of those that reach few mutants: they
 * test little else. Tests that speak of the module count as four times as quick.
 */
async function isKilled(
  mutant: PlacedMutant,
  trials: readonly Trial[],
  sandbox: Sandbox,
): Promise<boolean | null> {
  const { file, start, end, replacement } = mutant;
  const text = readFileSync(path.join(root, file), 'utf8');
  const changed = { [file]: text.slice(0, start) + replacement + text.slice(end) };
  const module = path.basename(file, path.extname(file));
  const rank = ({ test, seconds, reached }: Trial): number => {
    if (test === DOCS_CHECK) return 0;
    const source = readFileSync(path.join(root, test), 'utf8');
    const isOwn = isNamedAfter(test, module) || source.includes(`/${path.basename(file)}'`);
    if (isOwn) return seconds / LONGEST;
    return seconds * reached.size * (source.includes(module) ? 1 : 4);
  };
  const reached = trials
    .filter((trial) => trial.reached.has(mutant))
    .toSorted((one, other) => rank(one) - rank(other));
  let seconds = 0;
  const tried = reached.filter((trial) => (seconds += trial.seconds) <= ENOUGH);
  // A mutant that hangs counts as killed.
  const limited = tried.map(({ test, seconds }) => ({ test, limit: 3 * seconds + 20 }));
  const ended = limited.length > 0 ? (await sandbox.run(limited, changed)).ended : 'passed';
  if (ended === 'failed') return true;
  const why =
    ended === 'unbuilt'
      ? 'cannot be built'
      : reached.length === 0
        ? 'no test reaches it'
        : `test files that pass: ${tried.length}, not run: ${reached.length - tried.length}`;
  print(mutant, why);
  return ended === 'unbuilt' ? null : false;
}

function print({ file, line, what }: PlacedMutant, why: string): void {
  process.stdout.write(`${file}:${line}: ${what} (${why})\n`);
}

/** Such as test_progress.py after progress_reports.py, and test_command_worker.py after worker.py. */
function isNamedAfter(test: string, module: string): boolean {
  const plain = (name: string) => name.toLowerCase().replaceAll(/^test_|\.test\.ts$|\.py$|[_-]/g, '');
  const [one, other] = [plain(path.basename(test)), plain(module)];
  return one.includes(other) || other.includes(one);
}
