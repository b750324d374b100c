/** Builds the order that starts a worker: its environment, and what it serves. */

import type { WorkerOrder } from '../../contract/agentProtocol.ts';
import type { EndpointSpec } from '../../contract/appSpec.ts';
import { parseCpuForm } from '../../contract/hardware.ts';
import { DEFAULTS, WORKER_LIMITS } from '../../contract/limits.ts';
import { BASE_IMAGES } from '../../contract/names.ts';
import { type Assignment, workerEnvironment } from '../../contract/workerProtocol.ts';
import type { WorkerNode } from '../drivers/workerDriver.ts';
import type { Card } from '../hardware/findCards.ts';
import type { Gpus } from '../hardware/gpus.ts';
import type { Worker } from './worker.ts';

const GB = 1_000_000_000;

/** Secrets and cards of one worker. */
export interface WorkerResources {
  /** Not stored anywhere else in clear text. */
  token: string;
  /** The key with which its code calls other endpoints. */
  key: string;
  cards: Card[];
}

/** Everything that a worker needs to run. */
export function workerOrder(
  worker: Worker,
  resources: WorkerResources,
  node: WorkerNode,
  gpus: Gpus,
): WorkerOrder {
  return {
    worker: worker.id,
    endpoint: worker.target.id,
    python: node.capacity.pythons[worker.target.spec.python]!,
    platform: node.platform,
    token: resources.token,
    uv: node.uv,
    environment: startEnvironment(worker, resources, node, gpus),
    assignment: assignmentOf(worker, node, resources.key),
  };
}

function startEnvironment(
  worker: Worker,
  { token, cards }: WorkerResources,
  node: WorkerNode,
  gpus: Gpus,
): Record<string, string> {
  const gpu = cards[0]?.name ?? 'none';
  const facts = { endpointId: worker.target.id, workerId: worker.id, token, gpu };
  const environment: Record<string, string> = {
    ...workerEnvironment(node.platform, { ...facts, pingIntervalMs: WORKER_LIMITS.pingInterval }),
  };
  if (gpus.of(node.id).length > 0 || gpus.mode === 'none') {
    // Use the numbers of nvidia-smi. CUDA's default order puts the fastest card first.
    environment['CUDA_DEVICE_ORDER'] = 'PCI_BUS_ID';
    environment['CUDA_VISIBLE_DEVICES'] = cards.map((card) => card.index).join(',');
  }
  return environment;
}

function assignmentOf(worker: Worker, node: WorkerNode, workerKey: string): Assignment {
  const { target } = worker;
  const { spec } = target;
  const base = `${node.platform}/v2/${target.id}/worker/${worker.id}`;
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
      PLATFORM_API_URL: node.platform,
      PLATFORM_API_KEY: workerKey,
    },
    maxConcurrency: spec.maxConcurrency ?? DEFAULTS.maxConcurrency,
    executionTimeout: spec.executionTimeout,
    memoryBytes: memoryOf(spec.hardware),
    gatewaySecret: worker.gatewaySecret,
    live: target.run !== null,
  };
}

/** The memory of a CPU type, in bytes. Also works for one that is not in the table. */
export function memoryOf(hardware: EndpointSpec['hardware']): number | null {
  const form = 'cpu' in hardware ? parseCpuForm(hardware.cpu) : null;
  return form && form.ramGb * GB;
}

/** Whether this platform provides an image. */
export function isBaseImage(image: string): boolean {
  return Object.values<string>(BASE_IMAGES).includes(image);
}
