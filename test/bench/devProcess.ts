/** Servers for the benchmarks of dev: `toolkit dev`, and uvicorn for comparison. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const agent = new Agent({ keepAlive: true });

/** Starts dev and resolves with its address once it is ready. */
export async function startDev(cli: string, cwd: string, env: NodeJS.ProcessEnv, port: number) {
  const args = [cli, 'dev', '--json', '--port', String(port)];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { event: string; url: string };
    if (event.event !== 'ready') continue;
    child.stdout.resume();
    return { child, url: event.url };
  }
  throw new Error('dev ended before it was ready');
}

/** Stops a server cleanly. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
}

/** The body of a response; null if nobody listens. */
export async function get(url: string, options: RequestOptions = {}): Promise<string | null> {
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { agent, ...options }, resolve)
        .on('error', reject)
        .end();
    });
    return await text(answer);
  } catch {
    return null;
  }
}
