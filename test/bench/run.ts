/** Runs every benchmark, or the named ones, in a separate process, and prints a table of their ratios. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensurePython } from '../setup/python.ts';

const BENCHMARKS = [
  'version',
  'check',
  'mistakes',
  'index',
  'requests',
  'changes',
  'editorMemory',
  'dense',
  'mentions',
  'large',
  'rebuild',
  'firstBuild',
  'peakMemory',
  'dev',
  'extension',
  'platform/enqueue',
  'platform/queue',
  'platform/runsync',
  'platform/gateway',
  'platform/workerStart',
  'platform/idleMemory',
  'platform/upload',
];
const named = process.argv.slice(2);

// One of them compares with uvicorn, and all trees contain its packages.
ensurePython();
const rows: string[] = [];
for (const name of named.length > 0 ? named : BENCHMARKS) {
  process.stdout.write(`── ${name}\n`);
  const ran = spawnSync(process.execPath, [path.join(import.meta.dirname, `${name}.ts`)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(ran.stdout);
  rows.push(...ran.stdout.split('\n').filter((line) => /\((goal [≤≥] |no goal)/.test(line)));
  if (ran.status !== 0) rows.push(`${name}: failed with exit ${ran.status}`);
}
process.stdout.write(`\n── ratios\n${rows.join('\n')}\n`);
process.exit(rows.some((row) => / failed /.test(row)) ? 1 : 0);
