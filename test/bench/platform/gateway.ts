/**
 * Requests per second to a load-balanced worker through the gateway, over haproxy in front of the same
 * worker.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { GATEWAY_SECRET_HEADER } from '../../../runtime/contract/workerProtocol.ts';
import { freePort } from '../../setup/freePort.ts';
import { ensurePrograms } from '../../setup/programs.ts';
import { alternate, median } from '../measure.ts';
import { type Bench, withBench } from './bench.ts';
import { deploy } from './deployed.ts';
import { requestsPerSecond, WRK } from './wrk.ts';

const ROUNDS = 5;

ensurePrograms({ ...WRK, haproxy: 'haproxy' });
await withBench(async (bench) => {
  const platform = await deploy(bench, {
    'worker.py': `import gc
import socket

from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(1, 1))


@api.get("/hello")
async def hello() -> str:
    """The route that is measured."""
    return "hello"


@api.get("/way")
async def way() -> dict:
    """Where this worker listens, and what it knows its gateway by: kept from users' code, but not hidden from it."""
    [gate] = [each for each in gc.get_objects() if type(each).__name__ == "Gate"]
    names = [each.getsockname() for each in gc.get_objects() if isinstance(each, socket.socket) and each.family == socket.AF_UNIX]
    return {"socket": next(name for name in names if name), "secret": gate._secret.decode()}
`,
  });
  const gateway = platform.url('api');
  const worker = await platform.send<Way>('GET', `${gateway}/way`);
  const haproxy = await startHaproxy(bench, worker);
  const load = (url: string, connections: number) => async () =>
    requestsPerSecond(bench, { url: `${url}/hello`, connections, headers: platform.headers });
  const rates = await alternate(
    {
      ours16: load(gateway, 16),
      theirs16: load(haproxy, 16),
      ours1: load(gateway, 1),
      theirs1: load(haproxy, 1),
    },
    ROUNDS,
  );
  for (const [connections, ours, theirs, goal] of [
    [16, rates.ours16, rates.theirs16, 0.95],
    [1, rates.ours1, rates.theirs1, 0.65],
  ] as const) {
    const [own, other] = [median(ours), median(theirs)];
    process.stdout.write(
      `${connections} connections, requests/s: gateway ${own.toFixed(0)}; haproxy ${other.toFixed(0)} (medians of ${ours.length})\n`,
    );
    process.stdout.write(
      `gateway / haproxy, requests/s at ${connections} connections: ${(own / other).toFixed(2)} (goal ≥ ${goal})\n`,
    );
  }
});

interface Way {
  socket: string;
  secret: string;
}

/** Starts haproxy in front of a worker, which treats it as its gateway, and resolves with its address. */
async function startHaproxy(bench: Bench, worker: Way): Promise<string> {
  const port = await freePort();
  const config = path.join(bench.folder, 'haproxy.cfg');
  writeFileSync(
    config,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s

frontend gateway
  bind 127.0.0.1:${port}
  http-request set-header ${GATEWAY_SECRET_HEADER} ${worker.secret}
  default_backend workers

backend workers
  http-reuse always
  server worker unix@${worker.socket}
`,
  );
  await bench.serve(port, 'haproxy', ['-f', config]);
  return `http://127.0.0.1:${port}`;
}
