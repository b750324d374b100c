/**
 * The cost of dev: from a save to the first response of new code over `uvicorn --reload` of a bare app, a
 * request over the same one to the worker, and the start on the tutorial over `node -e 0`.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOME_FILES } from '../../runtime/contract/stateManager.ts';
import { end, get, startDev } from './devProcess.ts';
import { command, quantile } from './measure.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const python = path.join(import.meta.dirname, '../../.venv/bin/python');
const ROUNDS = 7;
const REQUESTS = 1_000;
const DEV_PORT = 28_880;
const UVICORN_PORT = 28_870;

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const env = { ...process.env, TOOLKIT_HOME: path.join(folder, 'home') };
const project = path.join(folder, 'app');
const bare = path.join(folder, 'bare');
let version = 0;
try {
  for (const made of [project, bare]) mkdirSync(made);
  writeFileSync(path.join(project, 'pyproject.toml'), '');
  saveOurs();
  saveTheirs();
  const uvicorn = spawn(
    python,
    ['-m', 'uvicorn', '--reload', '--log-level', 'error', '--port', String(UVICORN_PORT), 'app:app'],
    { cwd: bare, stdio: 'inherit' },
  );
  const dev = await startDev(cli, project, env, DEV_PORT);
  await measureSaves(dev.url);
  await end(uvicorn);
  await measureRequests(dev.url);
  await end(dev.child);
  await measureStart();
} finally {
  command(process.execPath, [cli, 'platform', 'stop'], { env, allow: [1] });
  rmSync(folder, { recursive: true, force: true });
}

function saveOurs(): void {
  writeFileSync(
    path.join(project, 'api.py'),
    `import gc
import socket

from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(0, 1), idle_timeout=600)


@api.get("/version")
def version():
    return ${version}


@api.get("/socket")
def listens_at():
    names = [each.getsockname() for each in gc.get_objects() if isinstance(each, socket.socket) and each.family == socket.AF_UNIX]
    return next(name for name in names if name)
`,
  );
}

function saveTheirs(): void {
  writeFileSync(
    path.join(bare, 'app.py'),
    `async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200})
    await send({"type": "http.response.body", "body": b"${version}"})
`,
  );
}

async function measureSaves(url: string): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const rest: number[] = [];
  const addresses = { ours: `${url}/api/version`, theirs: `http://127.0.0.1:${UVICORN_PORT}/` };
  await Promise.all(Object.values(addresses).map((address) => answered(address)));
  for (let round = 0; round <= ROUNDS; round += 1) {
    version += 1;
    const [own, other] = [await timed(saveOurs, addresses.ours), await timed(saveTheirs, addresses.theirs)];
    if (round === 0) continue;
    ours.push(own);
    theirs.push(other);
    rest.push(own - workerStart());
  }
  const [own, other, ownRest] = [ours, theirs, rest].map((times) => quantile(times, 0.5)) as [
    number,
    number,
    number,
  ];
  process.stdout.write(
    `save → first answer: dev ${own.toFixed(0)} ms; uvicorn --reload ${other.toFixed(0)} ms (medians of ${ROUNDS})\n`,
  );
  process.stdout.write(`save → first answer / uvicorn --reload: ${(own / other).toFixed(2)} (goal ≤ 0.15)\n`);
  process.stdout.write(
    `save → first answer without the worker's start: ${ownRest.toFixed(0)} ms (goal ≤ 60 ms)\n`,
  );
}

/** Milliseconds from a save to the first response of new code. */
async function timed(save: () => void, address: string): Promise<number> {
  // uvicorn checks its files four times a second, and an earlier save can still be draining.
  await sleep(500 + Math.random() * 250);
  const savedAt = performance.now();
  save();
  await answered(address);
  return performance.now() - savedAt;
}

/** Sends requests until the newest version responds. */
async function answered(address: string): Promise<void> {
  while ((await get(address)) !== String(version)) await sleep(2);
}

/** Milliseconds from the start of the newest worker's process until it is ready. */
function workerStart(): number {
  const lines = readFileSync(path.join(env.TOOLKIT_HOME, HOME_FILES.platformLog), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, string>]));
  const started = lines.findLast(({ msg }) => msg === 'worker started')!;
  const ready = lines.find(({ worker, state }) => worker === started['worker'] && state === 'ready')!;
  return Date.parse(ready['time']!) - Date.parse(started['time']!);
}

/** The health route costs the worker the least, so that mainly the way to it is measured. */
async function measureRequests(url: string): Promise<void> {
  const socketPath = JSON.parse((await get(`${url}/api/socket`))!) as string;
  const sides = {
    dev: () => get(`${url}/api/ping`),
    worker: () => get('http://worker/ping', { socketPath }),
  };
  const times: Record<keyof typeof sides, number[]> = { dev: [], worker: [] };
  for (let round = 0; round < REQUESTS + 200; round += 1) {
    for (const side of ['dev', 'worker'] as const) {
      const startedAt = performance.now();
      await sides[side]();
      if (round >= 200) times[side].push(performance.now() - startedAt);
    }
  }
  const [dev, worker] = [quantile(times.dev, 0.5), quantile(times.worker, 0.5)];
  process.stdout.write(
    `warm route: dev ${dev.toFixed(2)} ms; worker ${worker.toFixed(2)} ms (p50 of ${REQUESTS})\n`,
  );
  process.stdout.write(`dev over the worker, p50: +${(dev - worker).toFixed(2)} ms (goal ≤ 0.8 ms)\n`);
}

async function measureStart(): Promise<void> {
  command(process.execPath, [cli, 'init', 'tutorial', '--template', 'tutorial'], { cwd: folder, env });
  const ours: number[] = [];
  const node: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const startedAt = performance.now();
    const { child } = await startDev(cli, path.join(folder, 'tutorial'), env, DEV_PORT);
    const readyAt = performance.now();
    await end(child);
    const emptyAt = performance.now();
    command(process.execPath, ['-e', '0']);
    if (round === 0) continue;
    ours.push(readyAt - startedAt);
    node.push(performance.now() - emptyAt);
  }
  const [own, empty] = [quantile(ours, 0.5), quantile(node, 0.5)];
  process.stdout.write(
    `dev on the tutorial to ready: ${own.toFixed(0)} ms; node -e 0: ${empty.toFixed(0)} ms\n`,
  );
  process.stdout.write(`dev to ready / node -e 0: ${(own / empty).toFixed(1)} (no goal)\n`);
}
