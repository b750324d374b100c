/**
 * Runs two commands or functions in turn for several rounds. A benchmark prints the ratio of their medians
 * last.
 */
import { spawnSync } from 'node:child_process';

export interface Side {
  name: string;
  /** One round. Slow work that is not measured belongs into `prepare`. */
  run: () => void | Promise<void>;
  prepare?: () => void | Promise<void>;
}

export interface Measured {
  name: string;
  ratio: number;
  goal: number;
}

/** Alternates both sides for `rounds` rounds after a warm-up round, and prints medians and ratio. */
export async function compare(
  name: string,
  goal: number,
  ours: Side,
  baseline: Side,
  rounds = 7,
): Promise<Measured> {
  const times = await alternate({ ours: () => timeOf(ours), baseline: () => timeOf(baseline) }, rounds);
  const [a, b] = [median(times.ours), median(times.baseline)];
  const ratio = a / b;
  process.stdout.write(
    `${ours.name}: ${a.toFixed(1)} ms; ${baseline.name}: ${b.toFixed(1)} ms (medians of ${times.ours.length})\n`,
  );
  process.stdout.write(`${name}: ${ratio.toFixed(3)} (goal ≤ ${goal})\n`);
  return { name, ratio, goal };
}

/**
 * Measures every side once per round, in turn, after a warm-up round. `TOOLKIT_BENCH_ROUNDS` sets another
 * number of rounds, to try a script out.
 *
 * @param sides Each runs one round, and resolves with the measured value.
 * @returns The measured values of each side.
 */
export async function alternate<Sides extends Record<string, () => Promise<unknown>>>(
  sides: Sides,
  rounds: number,
): Promise<{ [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] }> {
  const counted = Number(process.env['TOOLKIT_BENCH_ROUNDS'] ?? rounds);
  const values = Object.fromEntries(Object.keys(sides).map((name): [string, unknown[]] => [name, []]));
  for (let round = 0; round <= counted; round += 1) {
    for (const [name, measure] of Object.entries(sides)) {
      const value = await measure();
      if (round > 0) values[name]!.push(value);
    }
  }
  return values as { [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] };
}

async function timeOf(side: Side): Promise<number> {
  await side.prepare?.();
  const startedAt = performance.now();
  await side.run();
  return performance.now() - startedAt;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The quantile of some values: 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Runs a command and waits for its end. Throws with its output when it fails. */
export function command(
  file: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; allow?: number[] } = {},
): void {
  const ran = spawnSync(file, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (ran.error) throw ran.error;
  if (ran.status !== 0 && !options.allow?.includes(ran.status ?? -1)) {
    throw new Error(`${file} ${args.join(' ')} ended with ${ran.status}:\n${ran.stdout}${ran.stderr}`);
  }
}
