/**
 * Every mistake of test/mistakes, from the command to its message, over `node -e 0`: the distribution of the
 * ratios.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MISTAKES } from '../mistakes/all.ts';
import { cleanEnvironment, writeProject } from '../setup/toolkit.ts';

const GOAL = 5;
const ROUNDS = 3;
const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));

const ratios: { title: string; ratio: number }[] = [];
try {
  for (const [index, mistake] of MISTAKES.entries()) {
    const cwd = writeProject(path.join(folder, `shop${index}`), { 'pyproject.toml': '', ...mistake.files });
    const home = writeProject(path.join(folder, `home${index}`), { 'cache/.keep': '', ...mistake.home });
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: home, ...mistake.env };
    const report = (): void => {
      const ran = spawnSync(process.execPath, [cli, ...mistake.command], {
        cwd,
        env,
        input: mistake.input ?? '',
      });
      if (ran.status !== mistake.exit) throw new Error(`${mistake.title}: exit ${ran.status}`);
    };
    const nothing = (): void => {
      spawnSync(process.execPath, ['-e', '0']);
    };
    report();
    const pairs = Array.from({ length: ROUNDS }, () => [measure(report), measure(nothing)] as const);
    const ratio = median(pairs.map(([ours]) => ours)) / median(pairs.map(([, bare]) => bare));
    ratios.push({ title: mistake.title, ratio });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const sorted = ratios.toSorted((a, b) => a.ratio - b.ratio);
for (const share of [0.1, 0.25, 0.5, 0.75, 0.9])
  process.stdout.write(`p${share * 100}: ${at(share).toFixed(2)}\n`);
for (const { title, ratio } of sorted.slice(-5)) process.stdout.write(`${ratio.toFixed(2)}  ${title}\n`);
const within = sorted.filter(({ ratio }) => ratio <= GOAL).length;
process.stdout.write(`${within} of ${sorted.length} within ${GOAL} × node -e 0\n`);
process.stdout.write(`slowest mistake / node -e 0: ${at(1).toFixed(3)} (goal ≤ ${GOAL})\n`);

function at(share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.ratio;
}

function measure(run: () => void): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
