/** The rooms of a mutation round: their modules, the tests that run these, and a choice of mutants. */
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
}

export const ROOMS: Record<string, Room> = {
  contract: {
    modules: 'runtime/contract/**/*.ts',
    tests: ['test/{source,build,server,cli,platform}/**/*.test.ts', DOCS_CHECK, 'test/flow.test.ts'],
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

export const root = path.join(import.meta.dirname, '../..');

/** Mutants spread evenly over the room's code. The same seed gives the same ones. */
export function choose(room: string, wanted: number, seed: number): PlacedMutant[] {
  const all = globSync(ROOMS[room]!.modules, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const found = file.endsWith('.py') ? pythonMutantsOf(text) : mutantsOf(file, text);
      return found.map((one) => ({ ...one, room, file, line: text.slice(0, one.start).split('\n').length }));
    });
  const step = all.length / Math.min(wanted, all.length);
  // The golden ratio spreads the offsets of successive seeds.
  const offset = (seed * 0.618_034) % 1;
  return Array.from(
    { length: Math.min(wanted, all.length) },
    (_, index) => all[Math.floor((index + offset) * step)]!,
  );
}
