/** The rooms of a mutation round: their modules, the tests that run these, and a choice of mutants. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Mutant, mutantsOf } from './mutate.ts';
import { pythonMutantsOf } from './mutatePython.ts';

/** Fails when the pages in docs/ are not those of the data in the contract. */
export const DOCS_CHECK = 'docs/generate.ts --check';

interface Room {
  modules: string;
  /** The tests that run these modules, in their own process or through the programs. */
  tests: string[];
}

/** A mutant of a module of a room. */
export interface PlacedMutant extends Mutant {
  room: string;
  file: string;
  line: number;
  /** The line without its indentation. */
  before: string;
  /** What the mutant makes of it. */
  after: string;
}

export const ROOMS: Record<string, Room> = {
  contract: {
    modules: 'runtime/contract/**/*.ts',
    tests: ['test/{source,build,server,cli,platform}/**/*.test.ts', DOCS_CHECK, 'test/flow.test.ts'],
  },
  source: {
    modules: 'runtime/source/**/*.ts',
    tests: ['test/{source,server,cli}/**/*.test.ts', 'test/build/requirements.test.ts'],
  },
  build: {
    modules: 'runtime/build/**/*.ts',
    tests: ['test/{build,cli}/*.test.ts', 'test/faults/building.test.ts'],
  },
  platform: {
    modules: 'runtime/platform/**/*.ts',
    tests: ['test/{platform,deploy}/*.test.ts', 'test/dev/waits.test.ts', 'test/faults/platform.test.ts'],
  },
  worker: {
    modules: 'runtime/python/toolkit_sdk/_{agent,worker}/**/*.py',
    tests: [
      'test/python/test_*.py',
      'test/platform/{agent,agentLink,commands,leases,lifecycle,logs,remoteLogs,remoteRequests,sdkWorker,twoAgents,workerProtocol}.test.ts',
    ],
  },
};

export const root = path.join(import.meta.dirname, '../..');

/**
 * Mutants of a room, by chance. The same seed gives the same ones, and a change of the code replaces only those of the lines
 * that it touches.
 */
export function choose(room: string, wanted: number, seed: number): PlacedMutant[] {
  const files = globSync(ROOMS[room]!.modules, { cwd: root });
  const keyed = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const lines = text.split('\n');
    const times = new Map<string, number>();
    return (file.endsWith('.py') ? pythonMutantsOf(text) : mutantsOf(file, text)).map((one) => {
      const line = text.slice(0, one.start).split('\n').length;
      const before = lines[line - 1]!.trim();
      const place = `${file}: ${before}: ${one.what}`;
      const time = times.get(place) ?? 0;
      times.set(place, time + 1);
      const key = createHash('sha256').update(`${seed} ${time} ${place}`).digest('hex');
      return { key, mutant: { ...one, room, file, line, before, after: changedLine(text, one) } };
    });
  });
  const chosen = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1)).slice(0, wanted);
  return chosen.map(({ mutant }) => mutant).toSorted(byPlace);
}

/** The line of a mutant, without its indentation. */
function changedLine(text: string, { start, end, replacement }: Mutant): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  return (text.slice(from, start) + replacement + text.slice(end, to === -1 ? undefined : to)).trim();
}

function byPlace(one: PlacedMutant, other: PlacedMutant): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.start - other.start;
}
