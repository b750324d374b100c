/**
 * Peak memory of `toolkit build` with an artifact of about 1 GB, above that of `toolkit --version`: wheels
 * and a model.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWheel } from '../build/wheels.ts';
import { cleanEnvironment, cli, writeProject } from '../setup/toolkit.ts';

const MB = 1_000_000;
const GOAL = 200;

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-memory-'));
try {
  const links = path.join(folder, 'links');
  for (let index = 0; index < 7; index += 1) {
    // Incompressible bytes, deflated in every second wheel and stored in the others.
    const content = noise(100 * MB);
    const members = [{ name: `part${index}/weights.bin`, content, stored: index % 2 === 0 }];
    writeWheel(links, { name: `part${index}`, members });
  }
  const names = Array.from({ length: 7 }, (_, index) => `part${index}`);
  const project = writeProject(path.join(folder, 'project'), {
    'pyproject.toml': '[tool.toolkit]\npython = "3.11"\n',
    'worker.py': `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="one", cpu="cpu3c-1-2", dependencies=${JSON.stringify(names)})\ndef one(text: str) -> str:\n    """Answers."""\n    return text\n`,
  });
  const model = openSync(path.join(project, 'model.bin'), 'w');
  for (let written = 0; written < 300 * MB; written += 100 * MB) writeSync(model, noise(100 * MB));
  closeSync(model);
  const env = {
    ...cleanEnvironment(),
    TOOLKIT_HOME: path.join(folder, 'home'),
    UV_CACHE_DIR: path.join(folder, 'uv-cache'),
    PIP_FIND_LINKS: links,
  };
  const start = await peakOf(['--version'], env, project);
  const built = await peakOf(['build'], env, project);
  const { size } = statSync(path.join(project, '.toolkit/artifact.tar.gz'));
  execFileSync('gzip', ['--test', path.join(project, '.toolkit/artifact.tar.gz')]);
  const above = (built - start) / MB;
  process.stdout.write(
    `artifact: ${(size / MB).toFixed(0)} MB; peak: ${(built / MB).toFixed(0)} MB, --version: ${(start / MB).toFixed(0)} MB\n`,
  );
  process.stdout.write(`peak memory of a 1 GB build above start, MB: ${above.toFixed(0)} (goal ≤ ${GOAL})\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function noise(bytes: number): Buffer {
  return randomFillSync(Buffer.allocUnsafe(bytes));
}

/** Peak resident memory of the command's own process, bytes. */
async function peakOf(args: string[], env: NodeJS.ProcessEnv, cwd: string): Promise<number> {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const end = once(child, 'exit') as Promise<[number | null]>;
  const watching = watch(child);
  const [code] = await end;
  if (code !== 0) throw new Error(`toolkit ${args.join(' ')} ended with ${code}.`);
  return watching;
}

async function watch(child: ChildProcess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(statusOf(child.pid))?.[1];
    peak = Math.max(peak, Number(kilobytes ?? 0) * 1024);
    await sleep(2);
  }
  return peak;
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has just ended.
    return '';
  }
}
