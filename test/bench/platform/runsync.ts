/** What the platform adds to a function: runsync over a bare uvicorn route and one fdatasync, p50 and p99. */
import { closeSync, fdatasyncSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../setup/freePort.ts';
import { ensurePython } from '../../setup/python.ts';
import { alternate, quantile } from '../measure.ts';
import { type Bench, withBench } from './bench.ts';
import { deploy } from './deployed.ts';

const ROUNDS = 5;
/** Of each side in a round. The sides alternate request by request. */
const REQUESTS = 400;
/** Like a page that SQLite writes: it overwrites a part of an existing file. */
const PAGE = 4_096;
const PAGES = 1_000;

const python = path.join(import.meta.dirname, '../../../.venv/bin/python');
const BODY = JSON.stringify({ input: { text: 'a text of the length that a short prompt may have' } });

ensurePython();
await withBench(async (bench) => {
  const platform = await deploy(bench, {
    'worker.py': `from toolkit_sdk import Endpoint


@Endpoint(name="echo", cpu="cpu3c-1-2", workers=(1, 1))
def echo(text: str) -> str:
    """Answers with its input."""
    return text
`,
  });
  await platform.until('echo', ({ workers }) => workers.ready === 1);
  const bare = await startBare(bench);
  const sync = openSynced(bench);
  const urls = { runsync: `${platform.url('echo')}/runsync`, bare };
  const ask = async (url: string) => {
    const answer = await platform.send<{ status?: string; text: string }>('POST', url, BODY);
    if ((answer.status ?? 'COMPLETED') !== 'COMPLETED') throw new Error(JSON.stringify(answer));
  };
  const { pairs } = await alternate(
    {
      pairs: async () => {
        const taken: { runsync: number; route: number; sync: number }[] = [];
        for (let request = 0; request < REQUESTS; request += 1) {
          taken.push({
            runsync: await timed(() => ask(urls.runsync)),
            route: await timed(() => ask(urls.bare)),
            sync: await timed(sync.once),
          });
        }
        return taken;
      },
    },
    ROUNDS,
  );
  sync.close();
  const all = pairs.flat();
  for (const [name, share, goal] of [
    ['p50', 0.5, 0.8],
    ['p99', 0.99, 3],
  ] as const) {
    const of = (value: (one: (typeof all)[number]) => number) => quantile(all.map(value), share);
    const [ours, route, disk] = [of((one) => one.runsync), of((one) => one.route), of((one) => one.sync)];
    const base = of((one) => one.route + one.sync);
    process.stdout.write(
      `${name}: runsync ${ours.toFixed(2)} ms; uvicorn ${route.toFixed(2)} ms; fdatasync ${disk.toFixed(2)} ms; the two in a row ${base.toFixed(2)} ms (${all.length} requests)\n`,
    );
    process.stdout.write(
      `runsync over a bare uvicorn route and one fdatasync, ${name}: +${(ours - base).toFixed(2)} ms (goal ≤ ${goal} ms)\n`,
    );
  }
});

async function timed(act: () => Promise<void> | void): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

/** Starts the same function on uvicorn only, and resolves with its address. */
async function startBare(bench: Bench): Promise<string> {
  writeFileSync(
    path.join(bench.folder, 'bare.py'),
    `import json


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    body = json.loads((await receive())["body"])
    await send({"type": "http.response.start", "status": 200})
    await send({"type": "http.response.body", "body": json.dumps(body["input"]).encode()})
`,
  );
  const port = await freePort();
  await bench.serve(port, python, [
    '-m',
    'uvicorn',
    '--log-level',
    'error',
    '--no-access-log',
    '--port',
    String(port),
    'bare:app',
  ]);
  return `http://127.0.0.1:${port}/`;
}

/** Writes a page and waits for the disk, on the disk of the platform's store. */
function openSynced({ folder }: Bench) {
  const file = path.join(folder, 'synced');
  writeFileSync(file, Buffer.alloc(PAGE * PAGES));
  const descriptor = openSync(file, 'r+');
  const page = Buffer.alloc(PAGE, 1);
  let written = 0;
  return {
    once: () => {
      writeSync(descriptor, page, 0, PAGE, (written % PAGES) * PAGE);
      fdatasyncSync(descriptor);
      written += 1;
    },
    close: () => closeSync(descriptor),
  };
}
