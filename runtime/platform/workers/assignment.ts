/** What a worker is told: its environment at the start, and its assignment when it asks. */

import { existsSync } from 'node:fs';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import { parseCpuForm } from '../../contract/hardware.ts';
import { DEFAULTS, WORKER_LIMITS } from '../../contract/limits.ts';
import { BASE_IMAGES } from '../../contract/names.ts';
import { type Assignment, WORKER_VARIABLES, workerEnvironment } from '../../contract/workerProtocol.ts';
import { type Card, Gpus } from '../hardware/gpus.ts';
import type { Worker } from './worker.ts';

const GB = 1_000_000_000;

/** Facts of this node that go into every worker's environment. */
export interface NodeFacts {
  /** The platform's address as workers reach it. */
  workerUrl: string;
  /** Folder of parts, base layers and compiled code. */
  cacheDir: string;
  uv: string | null;
}

/** The environment of a worker's process; `token` is kept nowhere else in clear. */
export function startEnvironment(
  worker: Worker,
  token: string,
  cards: Card[],
  node: NodeFacts,
  gpus: Gpus,
): Record<string, string> {
  const gpu = cards[0]?.name ?? 'none';
  const facts = { endpointId: worker.target.id, workerId: worker.id, token, gpu };
  const environment: Record<string, string> = {
    ...workerEnvironment(node.workerUrl, { ...facts, pingIntervalMs: WORKER_LIMITS.pingInterval }),
    [WORKER_VARIABLES.platformUrl]: node.workerUrl,
    [WORKER_VARIABLES.cacheDir]: node.cacheDir,
  };
  // A build may install it after the platform has started.
  if (node.uv !== null && existsSync(node.uv)) environment[WORKER_VARIABLES.uv] = node.uv;
  if (worker.port !== null) environment[WORKER_VARIABLES.port] = String(worker.port);
  if (gpus.cards.length > 0 || gpus.mode === 'none') {
    // Numbers as nvidia-smi gives them; CUDA's own order would put the fastest card first.
    environment['CUDA_DEVICE_ORDER'] = 'PCI_BUS_ID';
    environment['CUDA_VISIBLE_DEVICES'] = cards.map((card) => card.index).join(',');
  }
  return environment;
}

/** The answer to `GET …/worker/<worker>/assignment`. */
export function assignmentOf(worker: Worker, node: NodeFacts, workerKey: string): Assignment {
  const { target } = worker;
  const { spec } = target;
  const base = `${node.workerUrl}/v2/${target.id}/worker/${worker.id}`;
  return {
    app: target.app,
    environment: target.environment,
    endpoint: { id: target.id, name: target.name, kind: spec.kind },
    worker: worker.id,
    build: target.generation,
    python: spec.python,
    handler: spec.handler,
    command: spec.command,
    dependencySet: spec.dependencySet,
    parts: target.parts.map(({ role, content, sha256, size }) => ({
      role,
      content,
      sha256,
      size,
      url: `${base}/parts/${content}`,
    })),
    baseLayer: spec.baseLayer,
    env: {
      ...spec.env,
      ...target.secrets,
      TOOLKIT_APP: target.app,
      TOOLKIT_ENV: target.environment,
      PLATFORM_API_URL: node.workerUrl,
      PLATFORM_API_KEY: workerKey,
    },
    maxConcurrency: spec.maxConcurrency ?? DEFAULTS.maxConcurrency,
    executionTimeout: spec.executionTimeout,
    memoryBytes: memoryOf(spec.hardware),
    gatewaySecret: worker.gatewaySecret,
    live: target.run !== null,
  };
}

/** The cpu form's memory, bytes; a form that is none of the table counts by its own numbers too. */
function memoryOf(hardware: EndpointSpec['hardware']): number | null {
  const form = 'cpu' in hardware ? parseCpuForm(hardware.cpu) : null;
  return form && form.ramGb * GB;
}

/** Whether this platform provides an image. */
export function isBaseImage(image: string): boolean {
  return Object.values<string>(BASE_IMAGES).includes(image);
}
