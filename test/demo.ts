/**
 * The main workflow, shown as the first command in the README: creates the tutorial project in a temporary folder,
 * checks, builds and deploys it on the embedded platform, and calls it over HTTP. Leaves no process and no file behind.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeployDocument } from '../runtime/contract/cliDocuments.ts';

const cli = path.join(import.meta.dirname, '../dist/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-tutorial-'));
const home = path.join(folder, 'home');
const project = path.join(folder, 'tutorial');
const text = 'What a lovely day! The sun is out, and nobody complains.';

process.on('SIGINT', () => {}).on('SIGTERM', () => {});
try {
  say('toolkit init tutorial --template tutorial');
  toolkit(folder, 'init', 'tutorial', '--template', 'tutorial', '--quiet');
  say('toolkit check');
  process.stdout.write(toolkit(project, 'check'));
  say('toolkit deploy');
  const deployed = JSON.parse(toolkit(project, 'deploy', '--json')) as DeployDocument;
  const key = toolkit(project, 'platform', 'key').trim();
  const url = (name: string): string => deployed.loadBalanced.find((endpoint) => endpoint.name === name)!.url;

  await ask(key, 'GET', `${url('text-api')}/health`);
  await ask(key, 'GET', `${url('text-api')}/info`);
  await ask(key, 'POST', `${url('text-api')}/analyze`, { text });
  await ask(key, 'POST', `${url('sentiment-api')}/sentiment`, { text });
  await ask(key, 'POST', `${url('text-api')}/report`, { text });
} finally {
  say('toolkit platform stop');
  process.stdout.write(toolkit(folder, 'platform', 'stop'));
  rmSync(folder, { recursive: true, force: true });
}

function toolkit(cwd: string, ...args: string[]): string {
  const { PLATFORM_API_KEY, PLATFORM_API_URL, TOOLKIT_APP, TOOLKIT_ENV, ...env } = process.env;
  return execFileSync(process.execPath, [cli, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, TOOLKIT_HOME: home },
  });
}

async function ask(key: string, method: string, url: string, body?: object): Promise<void> {
  const data = body && JSON.stringify(body);
  say(
    `curl -X ${method} ${url} -H "Authorization: Bearer $(toolkit platform key)"` +
      (data ? ` -H "Content-Type: application/json" -d '${data}'` : ''),
  );
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(data ? { body: data } : {}),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${answer}`);
  process.stdout.write(`${answer}\n`);
}

function say(line: string): void {
  process.stdout.write(`\n$ ${line}\n`);
}
