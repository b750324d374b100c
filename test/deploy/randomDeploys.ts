/**
 * Random projects deployed one after the other. Each plan is compared with an oracle that knows only the two
 * projects, and with the platform's own log of what then happened.
 */
import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';
import type { Plan } from '../../runtime/contract/deployment.ts';
import { HOME_FILES } from '../../runtime/contract/stateManager.ts';
import { type Workbench, writeProject } from '../setup/toolkit.ts';
import { namesSince } from './platformLog.ts';

/** One endpoint of a random project: everything that its file and the plan depend on. */
interface RandomEndpoint {
  kind: 'queue' | 'load-balanced';
  hardware: string;
  workers: number;
  idleTimeout: number;
  executionTimeout: number;
  concurrency: number;
  /** The constant that its function returns. */
  answer: number;
  usesShared: boolean;
  /** Value of its variable in `.env`, which is not part of its source text. */
  mode: string;
}

interface RandomProject {
  endpoints: Record<string, RandomEndpoint>;
  /** Version of the module that some endpoints import. */
  shared: number;
  /** Adds a package to one endpoint, and so to the app's single set. */
  extraPackage: boolean;
}

/** Longer than the time a worker gets to finish its work. */
const REMOVAL_MS = 30_000;

const NAMES = ['ada', 'bob', 'cy', 'dot', 'eve'] as const;

const endpoint: fc.Arbitrary<RandomEndpoint> = fc.record({
  kind: fc.constantFrom('queue', 'queue', 'load-balanced'),
  hardware: fc.constantFrom('cpu="cpu3c-1-2"', 'cpu="cpu3c-2-4"', 'gpu=GpuGroup.ANY'),
  workers: fc.constantFrom(0, 1, 2),
  idleTimeout: fc.constantFrom(60, 90),
  executionTimeout: fc.constantFrom(600, 30),
  concurrency: fc.constantFrom(1, 1, 4),
  answer: fc.integer({ min: 0, max: 2 }),
  usesShared: fc.boolean(),
  mode: fc.constantFrom('calm', 'quick'),
});

const firstProject: fc.Arbitrary<RandomProject> = fc.record({
  endpoints: fc
    .tuple(fc.subarray([...NAMES], { minLength: 1 }), fc.tuple(...NAMES.map(() => endpoint)))
    .map(([names, made]) => Object.fromEntries(names.map((name, index) => [name, made[index]!]))),
  shared: fc.constant(1),
  extraPackage: fc.boolean(),
});

/** The effects of one edit of a project: most edits leave most endpoints unchanged. */
const edit = fc.record({
  fresh: endpoint,
  at: fc.constantFrom(...NAMES),
  what: fc.constantFrom(
    'nothing',
    'replace',
    'remove',
    'answer',
    'workers',
    'mode',
    'kind',
    'shared',
    'package',
  ),
});

type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** A chain of projects: each is the previous one, edited once or twice. */
function projects(count: number, seed: number): RandomProject[] {
  const [first] = fc.sample(firstProject, { seed, numRuns: 1 });
  const edits = fc.sample(fc.array(edit, { minLength: 1, maxLength: 2 }), { seed, numRuns: count });
  const chain = [first!];
  for (const step of edits) chain.push(step.reduce(apply, chain.at(-1)!));
  return chain;
}

function apply(project: RandomProject, { what, at, fresh }: Edit): RandomProject {
  const before = project.endpoints[at];
  if (what === 'nothing') return project;
  if (what === 'shared') return { ...project, shared: project.shared + 1 };
  if (what === 'package') return { ...project, extraPackage: !project.extraPackage };
  if (what === 'remove' && before && Object.keys(project.endpoints).length > 1) {
    const { [at]: _removed, ...endpoints } = project.endpoints;
    return { ...project, endpoints };
  }
  const changed = !before || what === 'replace' || what === 'remove' ? fresh : changeOne(before, what);
  return { ...project, endpoints: { ...project.endpoints, [at]: changed } };
}

function changeOne(before: RandomEndpoint, what: 'answer' | 'workers' | 'mode' | 'kind'): RandomEndpoint {
  const { answer, workers, mode, kind } = before;
  if (what === 'answer') return { ...before, answer: answer + 1 };
  if (what === 'workers') return { ...before, workers: (workers + 1) % 3 };
  if (what === 'mode') return { ...before, mode: mode === 'calm' ? 'quick' : 'calm' };
  return { ...before, kind: kind === 'queue' ? 'load-balanced' : 'queue' };
}

function files(project: RandomProject): Record<string, string> {
  const entries = Object.entries(project.endpoints);
  const [first] = entries.map(([name]) => name).toSorted();
  const modules = entries.map(([name, one]) => [
    `${name}.py`,
    moduleText(name, one, project.extraPackage && name === first),
  ]);
  return {
    ...Object.fromEntries(modules),
    'shared.py': `VERSION = ${project.shared}\n`,
    'pyproject.toml': '[project]\nname = "random"\n\n[tool.toolkit]\napp = "random"\nquota = 30\n',
    '.env': entries.map(([name, { mode }]) => `MODE_${name.toUpperCase()}=${mode}\n`).join(''),
  };
}

function moduleText(name: string, one: RandomEndpoint, extraPackage: boolean): string {
  const given = [
    `name="${name}"`,
    one.hardware,
    `workers=(0, ${one.workers})`,
    `idle_timeout=${one.idleTimeout}`,
    `execution_timeout=${one.executionTimeout}`,
    `max_concurrency=${one.concurrency}`,
    `env={"MODE": os.environ["MODE_${name.toUpperCase()}"]}`,
    ...(extraPackage ? ['dependencies=["six==1.17.0"]'] : []),
  ].join(', ');
  const lines = ['import os', 'from toolkit_sdk import Endpoint, GpuGroup', ''];
  if (one.usesShared) lines.push('import shared', '');
  if (one.kind === 'queue') lines.push(`@Endpoint(${given})`);
  else lines.push(`api = Endpoint(${given})`, '', '@api.get("/answer")');
  lines.push(`def ${name}_answer() -> int:`, '    """Answer."""', `    return ${one.answer}`, '');
  return lines.join('\n');
}

/** The plan, derived only from the two projects. */
function expectedPlan(before: RandomProject | null, after: RandomProject): Plan {
  const plan: Plan = { create: [], update: [], unchanged: [], remove: [] };
  for (const name of Object.keys(after.endpoints).toSorted()) {
    const was = before?.endpoints[name];
    if (!was || !before) {
      plan.create.push(name);
      continue;
    }
    const reasons = expectedReasons(name, [before, was], [after, after.endpoints[name]!]);
    if (reasons.length > 0) plan.update.push({ name, reasons });
    else plan.unchanged.push(name);
  }
  plan.remove = Object.keys(before?.endpoints ?? {})
    .filter((name) => !after.endpoints[name])
    .toSorted();
  return plan;
}

function expectedReasons(
  name: string,
  [before, was]: [RandomProject, RandomEndpoint],
  [after, is]: [RandomProject, RandomEndpoint],
): string[] {
  const text = (project: RandomProject) => files(project)[`${name}.py`];
  const reasons: string[] = [];
  if (text(before) !== text(after) || (is.usesShared && before.shared !== after.shared)) reasons.push('code');
  if (packages(before) !== packages(after)) reasons.push('dependencies');
  const isGpu = ({ hardware }: RandomEndpoint) => hardware.startsWith('gpu');
  if (was.kind !== is.kind) reasons.push('settings: kind');
  if (isGpu(was) !== isGpu(is)) reasons.push('settings: gpu');
  if (was.hardware !== is.hardware) reasons.push('settings: cpu');
  if (was.workers !== is.workers) reasons.push('settings: workers');
  if (was.idleTimeout !== is.idleTimeout) reasons.push('settings: idle_timeout');
  if (isGpu(was) !== isGpu(is)) reasons.push('settings: image');
  if (was.executionTimeout !== is.executionTimeout) reasons.push('settings: execution_timeout');
  if (was.concurrency !== is.concurrency) reasons.push('settings: max_concurrency');
  if (was.mode !== is.mode) reasons.push('settings: env');
  return reasons;
}

/** One set for the whole app: FastAPI is added to it with the first load-balanced endpoint. */
function packages(project: RandomProject): string {
  const isBalanced = Object.values(project.endpoints).some(({ kind }) => kind === 'load-balanced');
  return JSON.stringify([isBalanced, project.extraPackage]);
}

/** Endpoints for which a plan starts workers: neither paused ones nor those whose scale alone changes. */
function startedBy(plan: Plan, project: RandomProject): string[] {
  const inPlace = new Set(['settings: workers', 'settings: idle_timeout']);
  const rolled = plan.update.filter(({ reasons }) => reasons.some((reason) => !inPlace.has(reason)));
  return [...plan.create, ...rolled.map(({ name }) => name)]
    .filter((name) => project.endpoints[name]!.workers > 0)
    .toSorted();
}

/**
 * Deploys `pairs` + 1 random projects one after the other and compares each plan with what happened.
 *
 * @returns The number of equal pairs. Throws on the first that differs, with its seed.
 */
export async function deployRandomPairs(bench: Workbench, pairs: number, seed: number): Promise<number> {
  const root = path.join(bench.folder, 'random');
  const log = path.join(bench.home, HOME_FILES.platformLog);
  let before: RandomProject | null = null;
  let equal = 0;
  for (const [step, project] of projects(pairs, seed).entries()) {
    rmSync(root, { recursive: true, force: true });
    writeProject(root, files(project));
    const from: number = before === null ? 0 : statSync(log).size;
    const ran = await bench.toolkit(root, ['deploy', '--json', '--yes']);
    const place = `seed ${seed}, step ${step}`;
    assert.equal(ran.code, 0, `${place}: ${ran.stdout}${ran.stderr}`);
    const { plan, loadBalanced, queueBased } = ran.json<DeployDocument>();
    assert.deepEqual(plan, expectedPlan(before, project), place);
    assert.deepEqual(startedSince(log, from), startedBy(plan, project), `${place}: started`);
    // The workers of a removed endpoint finish their jobs first, and the deploy does not wait for that.
    await until(() => namesSince(log, from, 'endpoint removed').length >= plan.remove.length, REMOVAL_MS);
    assert.deepEqual(namesSince(log, from, 'endpoint removed'), plan.remove, `${place}: removed`);
    const served = [...loadBalanced, ...queueBased].map(({ name }) => name).toSorted();
    assert.deepEqual(served, Object.keys(project.endpoints).toSorted(), `${place}: served`);
    if (before) equal += 1;
    before = project;
  }
  return equal;
}

function startedSince(log: string, from: number): string[] {
  return [...new Set(namesSince(log, from, 'worker started'))];
}

async function until(holds: () => boolean, patience: number): Promise<void> {
  for (const end = performance.now() + patience; !holds() && performance.now() < end; ) await sleep(50);
}
