/** Memory of an idle platform, over a Node process that does nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { alternate, median } from '../measure.ts';
import { withBench } from './bench.ts';
import { deploy } from './deployed.ts';

const ROUNDS = 5;
const MB = 1_000_000;
/**
 * Until unused memory has been released: the platform checks once a second for five seconds
 * (`releaseMemory`).
 */
const QUIET_MS = 8_000;

await withBench(async (bench) => {
  const platform = await deploy(bench, {
    'worker.py': `from toolkit_sdk import Endpoint


@Endpoint(name="echo", cpu="cpu3c-1-2", idle_timeout=1)
def echo(text: str) -> str:
    """Answers with its input."""
    return text
`,
  });
  const { pid } = platform.record;
  const sizes = await alternate(
    {
      // As users leave it: after a deploy and jobs, and with all workers gone.
      ours: async () => {
        const url = `${platform.url('echo')}/runsync`;
        await platform.send('POST', url, JSON.stringify({ input: { text: 'hello' } }));
        await platform.until('echo', ({ workers }) => workers.ready + workers.initializing === 0);
        await sleep(QUIET_MS);
        return { platform: residentBytes(pid), others: descendantsOf(pid).map(residentBytes) };
      },
      node: async () => {
        const node = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'inherit' });
        await sleep(QUIET_MS);
        const size = residentBytes(node.pid!);
        node.kill();
        await once(node, 'exit');
        return size;
      },
    },
    ROUNDS,
  );
  const own = median(sizes.ours.map((each) => each.platform));
  const node = median(sizes.node);
  const { others } = sizes.ours.at(-1)!;
  process.stdout.write(
    `idle platform: ${(own / MB).toFixed(1)} MB; node: ${(node / MB).toFixed(1)} MB (medians of ${sizes.node.length})\n`,
  );
  process.stdout.write(
    `processes that it has started, ${others.length}: ${(sum(others) / MB).toFixed(1)} MB (no goal)\n`,
  );
  process.stdout.write(`idle platform memory / bare node: ${(own / node).toFixed(2)} (goal ≤ 2)\n`);
});

/** Resident memory of all threads; 0 for a process that has just ended. */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 0) * 1024;
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => Number(/^PPid:\s+(\d+)$/m.exec(statusOf(other))?.[1]) === pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has just ended.
    return '';
  }
}

function sum(values: number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
