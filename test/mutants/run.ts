/**
 * A mutation round: `npm run mutants -- source 80`. Changes one place of a room at a time and runs the tests that reach it.
 * A mutant that no test notices is printed with its place. Needs root: each test runs in a view of the machine that is
 * thrown away.
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { placesRun } from './coverage.ts';
import { type Mutant, mutantsOf } from './mutate.ts';
import { pythonMutantsOf } from './mutatePython.ts';
import { Sandbox } from './sandbox.ts';
import { sourcePrograms } from './sourcePrograms.ts';

interface Room {
  modules: string;
  /** The tests that run these modules, in their own process or through the programs. */
  tests: string[];
}

interface PlacedMutant extends Mutant {
  file: string;
  line: number;
}

/** A test file that passes without a mutant. */
interface Trial {
  test: string;
  seconds: number;
  reached: Set<PlacedMutant>;
}

const ROOMS: Record<string, Room> = {
  contract: {
    modules: 'runtime/contract/**/*.ts',
    tests: ['test/{source,build,server,cli,platform}/**/*.test.ts', 'test/flow.test.ts'],
  },
  source: { modules: 'runtime/source/**/*.ts', tests: ['test/{source,server,cli}/**/*.test.ts'] },
  build: {
    modules: 'runtime/build/**/*.ts',
    tests: ['test/{build,cli}/*.test.ts', 'test/faults/building.test.ts'],
  },
  platform: {
    modules: 'runtime/platform/**/*.ts',
    tests: ['test/{platform,deploy}/*.test.ts', 'test/faults/platform.test.ts'],
  },
  worker: {
    modules: 'runtime/python/toolkit_sdk/_{agent,worker}/**/*.py',
    tests: [
      'test/python/test_*.py',
      'test/platform/{agent,agentLink,commands,leases,lifecycle,logs,remoteLogs,remoteRequests,sdkWorker,twoAgents,workerProtocol}.test.ts',
    ],
  },
};
/** Of a test file without a mutant, in seconds. */
const LONGEST = 180;

const root = path.join(import.meta.dirname, '../..');
const [name = 'source', count = '40', seed = '1'] = process.argv.slice(2);
const room = ROOMS[name];
if (!room) throw new Error(`Rooms: ${Object.keys(ROOMS).join(', ')}.`);
// Most tests wait for other processes.
const sandboxes = Array.from({ length: 2 * availableParallelism() }, () => new Sandbox());
try {
  // Otherwise every mutant would count as killed. Any file will do.
  const unchanged = { 'README.md': readFileSync(path.join(root, 'README.md'), 'utf8') };
  if (!(await sandboxes[0]!.run([], unchanged)).passed)
    throw new Error(
      'The project cannot be built in a sandbox: run as root, with overlayfs and user namespaces.',
    );
  const mutants = choose(room.modules, Number(count), Number(seed));
  const tests = globSync(room.tests, { cwd: root }).toSorted();
  const tried = await inParallel(tests, (test, sandbox) => withoutMutant(test, mutants, sandbox));
  const trials = tried.filter((trial) => trial !== null);
  const killed = await inParallel(mutants, (mutant, sandbox) => isKilled(mutant, trials, sandbox));
  const kills = killed.filter(Boolean).length;
  const share = Math.round((100 * kills) / mutants.length);
  process.stdout.write(`${name}: ${kills} of ${mutants.length} mutants killed, ${share} %\n`);
} finally {
  for (const sandbox of sandboxes) sandbox.close();
}

/** Mutants spread evenly over the room's code. The same seed gives the same ones. */
function choose(modules: string, wanted: number, seed: number): PlacedMutant[] {
  const all = globSync(modules, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const found = file.endsWith('.py') ? pythonMutantsOf(text) : mutantsOf(file, text);
      return found.map((one) => ({ ...one, file, line: text.slice(0, one.start).split('\n').length }));
    });
  const step = all.length / Math.min(wanted, all.length);
  // The golden ratio spreads the offsets of successive seeds.
  const offset = (seed * 0.618_034) % 1;
  return Array.from(
    { length: Math.min(wanted, all.length) },
    (_, index) => all[Math.floor((index + offset) * step)]!,
  );
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

/** Runs a test file on the sources as they are. Null if it fails, or reaches no mutant. */
async function withoutMutant(
  test: string,
  mutants: readonly PlacedMutant[],
  sandbox: Sandbox,
): Promise<Trial | null> {
  const { passed, seconds, coverage } = await sandbox.run(
    [{ test, limit: LONGEST }],
    sourcePrograms(),
    (coverage) => ({ NODE_V8_COVERAGE: coverage }),
  );
  if (!passed) process.stdout.write(`left out, since it fails without a mutant: ${test}\n`);
  // Processes of Python leave no coverage.
  const ofPython = mutants.filter(({ file }) => file.endsWith('.py'));
  const reached = placesRun(coverage, root, mutants).union(new Set(ofPython));
  return passed && reached.size > 0 ? { test, seconds, reached } : null;
}

/** Whether a test file fails on a mutant. Tests that speak of its module are run first, then the quickest. */
async function isKilled(mutant: PlacedMutant, trials: readonly Trial[], sandbox: Sandbox): Promise<boolean> {
  const { file, line, start, end, replacement, what } = mutant;
  const text = readFileSync(path.join(root, file), 'utf8');
  const changed = { [file]: text.slice(0, start) + replacement + text.slice(end) };
  const module = path.basename(file, path.extname(file));
  const rank = ({ test, seconds }: Trial): number =>
    readFileSync(path.join(root, test), 'utf8').includes(module) ? seconds : seconds + LONGEST;
  const reached = trials
    .filter((trial) => trial.reached.has(mutant))
    .toSorted((one, other) => rank(one) - rank(other));
  // A mutant that hangs counts as killed.
  const limited = reached.map(({ test, seconds }) => ({ test, limit: 3 * seconds + 20 }));
  if (limited.length > 0 && !(await sandbox.run(limited, changed)).passed) return true;
  const why = reached.length === 0 ? 'no test reaches it' : `test files that pass: ${reached.length}`;
  process.stdout.write(`${file}:${line}: ${what} (${why})\n`);
  return false;
}
