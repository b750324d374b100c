/**
 * Deploys layouts one after the other into one app of one platform, and calls each endpoint like users do.
 */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';
import type { Workbench } from '../setup/toolkit.ts';
import { filesOf, type Layout } from './layout.ts';

/** Writes a layout's project and returns its folder. */
export function layoutProject(bench: Workbench, layout: Layout, name: string): string {
  const folder = path.join(bench.folder, name);
  mkdirSync(path.join(folder, '.git'), { recursive: true });
  for (const [file, content] of Object.entries(filesOf(layout))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  for (const [link, target] of Object.entries(layout.links ?? {}))
    symlinkSync(target, path.join(folder, link));
  return folder;
}

/** Deploys a layout in place of the previous one, and compares each answer. */
export async function serveLayout(bench: Workbench, layout: Layout, name: string): Promise<void> {
  const folder = layoutProject(bench, layout, name);
  const ran = await bench.toolkit(folder, ['deploy', '--app', 'layouts', '--yes', '--json']);
  assert.equal(ran.code, 0, `${ran.stdout}\n${ran.stderr}`);
  const deployed = ran.json<DeployDocument>();
  const key = (await bench.toolkit(folder, ['platform', 'key'])).stdout.trim();
  const urls = new Map([...deployed.queueBased, ...deployed.loadBalanced].map((one) => [one.name, one.url]));
  const answers: Record<string, unknown> = {};
  for (const call of Object.keys(layout.answers ?? {})) {
    const [endpoint, method, route] = call.split(' ');
    const url = urls.get(endpoint!)!;
    answers[call] =
      method && route ? await answer(method, `${url}${route}`, key) : await output(`${url}/runsync`, key);
  }
  assert.deepEqual(answers, layout.answers);
}

async function output(url: string, key: string): Promise<unknown> {
  const job = await answer('POST', url, key, { input: {} });
  return typeof job === 'object' && job !== null && 'output' in job ? job.output : job;
}

async function answer(method: string, url: string, key: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return response.ok ? (JSON.parse(text) as unknown) : `${response.status} ${text}`;
}
