/** An endpoint as the state manager and `health` report it: counts of workers and jobs, address, hardware. */
import type { RemoteEndpoint } from '../../contract/deployment.ts';
import type { EndpointHealth } from '../../contract/job.ts';
import type { Addresses } from '../addresses.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import { describeHardware } from '../hardware/describeHardware.ts';
import type { Gpus } from '../hardware/gpus.ts';
import type { Queues } from '../jobs/queues.ts';
import type { Autoscaler } from '../workers/autoscaler.ts';
import type { Workers } from '../workers/workers.ts';

export interface EndpointView {
  addresses: Addresses;
  endpoints: Endpoints;
  workers: Workers;
  queues: Queues;
  autoscaler: Autoscaler;
  gpus: Gpus;
}

/** The body of `GET /v2/<id>/health`. `ready` counts workers that can serve: idle and running. */
export function endpointHealth(view: EndpointView, endpoint: DeployedEndpoint): EndpointHealth {
  const queue = view.queues.of(endpoint.id);
  const { completed, failed, retried } = queue.ended;
  const workers = view.workers.of(endpoint.id);
  const ready = workers.filter((worker) => worker.state === 'ready');
  const running = ready.filter((worker) => view.autoscaler.isBusy(worker)).length;
  return {
    jobs: { completed, failed, inProgress: queue.inProgress, inQueue: queue.waiting, retried },
    workers: {
      idle: ready.length - running,
      initializing: workers.filter((worker) => worker.state === 'starting').length,
      ready: ready.length,
      running,
      throttled: view.autoscaler.throttled(endpoint.id),
      unhealthy: workers.filter((worker) => worker.state === 'unhealthy').length,
    },
  };
}

export function remoteEndpoint(view: EndpointView, endpoint: DeployedEndpoint): RemoteEndpoint {
  const { jobs, workers } = endpointHealth(view, endpoint);
  const { spec } = endpoint;
  return {
    id: endpoint.id,
    name: endpoint.name,
    kind: spec.kind,
    url: view.addresses.of(endpoint),
    build: endpoint.build,
    live: endpoint.run !== null,
    run: endpoint.run,
    hardware: describeHardware(spec, view.gpus),
    workers: {
      min: spec.workersMin,
      max: spec.workersMax,
      idle: workers.idle,
      initializing: workers.initializing,
      running: workers.running,
      unhealthy: workers.unhealthy,
    },
    jobs,
    routes: spec.routes.map((route) => `${route.method} ${route.path}`),
  };
}
