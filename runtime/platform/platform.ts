/** Puts the platform together: store, keys, endpoints, workers, jobs, gateway, state manager, and its main port. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../contract/errors.ts';
import { DEFAULTS, PLATFORM_LIMITS, WORKER_LIMITS } from '../contract/limits.ts';
import type { PlatformOptions } from '../contract/platformOptions.ts';
import { API_VERSION, HOME_FILES, type PlatformRecord } from '../contract/stateManager.ts';
import { Addresses } from './addresses.ts';
import { Authorizer } from './auth/authorize.ts';
import { Keys } from './auth/keys.ts';
import { ensureOwnerKey } from './auth/ownerKey.ts';
import { newSecret } from './auth/secret.ts';
import { AgentDriver } from './drivers/agentDriver.ts';
import { Endpoints, encodeEndpoint } from './endpoints.ts';
import { Balance } from './gateway/balance.ts';
import { Gateway } from './gateway/gateway.ts';
import { checkHealth, watchHealth } from './gateway/watchHealth.ts';
import { findCards, Gpus } from './hardware/gpus.ts';
import { AllowedHosts } from './http/allowedHosts.ts';
import { listenFrom, listenOn } from './http/listen.ts';
import { Interpreters } from './interpreters.ts';
import { Jobs } from './jobs/jobs.ts';
import { renewLeases } from './jobs/renewLeases.ts';
import { StopRequests } from './jobs/stopRequests.ts';
import { Submissions } from './jobs/submissions.ts';
import { watchJobs } from './jobs/watchJobs.ts';
import { Webhooks } from './jobs/webhooks.ts';
import { anyAddress, publicOnly } from './jobs/webhookTarget.ts';
import { openLog } from './log.ts';
import { findRunning, removeRecord, writeRecord } from './record.ts';
import { createPlatformServer, serve } from './server.ts';
import { Deployer } from './stateManager/deployer.ts';
import { keepHouse } from './stateManager/keepHouse.ts';
import { LiveRuns } from './stateManager/liveRuns.ts';
import { PartPromises } from './stateManager/partPromises.ts';
import { Parts } from './stateManager/parts.ts';
import { Removals } from './stateManager/removals.ts';
import type { RolloutContext } from './stateManager/rolloutContext.ts';
import { Rollouts } from './stateManager/rollouts.ts';
import { Underway } from './stateManager/underway.ts';
import { Uploads } from './stateManager/uploads.ts';
import { Store } from './store/store.ts';
import { Autoscaler } from './workers/autoscaler.ts';
import { Workers } from './workers/workers.ts';

/** How long a second start waits for the first one of the same home to answer, or to end. */
const OTHER_START_MS = 20_000;

export interface Platform {
  record: PlatformRecord;
  /** True when another process of this home was running already and `record` is its. */
  another: boolean;
  /** Resolves when the platform has been idle for its time with nothing deployed. */
  idle: Promise<void>;
  /** Ends every worker and closes everything; the state stays. */
  stop(): Promise<void>;
}

/**
 * Starts the platform of a home, or finds the one that runs.
 *
 * @param entry The program's own module, which in a thread is the store's.
 * @throws ToolkitError PORT_IN_USE, PLATFORM_NEWER, PLATFORM_START_FAILED, STORAGE_FULL.
 */
export async function startPlatform(options: PlatformOptions, entry: URL): Promise<Platform> {
  const folder = path.join(options.home, HOME_FILES.platformDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const held = await openStore(options.home, path.join(folder, 'store.sqlite'), entry);
  if (!(held instanceof Store)) {
    return { record: held, another: true, idle: new Promise(() => {}), stop: async () => {} };
  }
  try {
    return await composePlatform(options, folder, held);
  } catch (error) {
    await held.close();
    throw error;
  }
}

/** The store, which only one process holds; else the record of the one that does. */
async function openStore(home: string, file: string, entry: URL): Promise<Store | PlatformRecord> {
  const deadline = performance.now() + OTHER_START_MS;
  for (;;) {
    const opened = (await Store.open(file, entry)) ?? (await findRunning(home));
    if (opened) return opened;
    if (performance.now() > deadline) {
      throw new ToolkitError(
        'PLATFORM_START_FAILED',
        'Another platform of this TOOLKIT_HOME runs and does not answer.',
        {
          hint: 'End it with `toolkit platform stop`, then try again.',
        },
      );
    }
    await sleep(100);
  }
}

async function composePlatform(options: PlatformOptions, folder: string, store: Store): Promise<Platform> {
  const { home } = options;
  const log = openLog(home);
  const facts = new Map((await store.facts.all()).map(({ name, value }) => [name, value]));
  const secret = facts.get('secret') ?? newSecret();
  if (!facts.has('secret')) await store.facts.put('secret', secret);

  const server = createPlatformServer();
  const port = await listen(server, options, Number(facts.get('port') ?? 0));
  const addresses = new Addresses(options.host, port, options.advertise);
  const allowedHosts = new AllowedHosts([addresses.url, addresses.workerUrl]);
  const keys = await Keys.load(store, secret);
  await ensureOwnerKey(home, addresses.url, facts.get('url') ?? null, keys);
  await store.facts.put('port', String(port));
  await store.facts.put('url', addresses.url);

  const idleness = { lastUse: performance.now() };
  const used = () => {
    idleness.lastUse = performance.now();
  };
  const authorizer = new Authorizer(keys);
  const endpoints = await Endpoints.load(store);
  const parts = await Parts.load(store, path.join(folder, 'parts'), log);
  const promises = new PartPromises();
  const gpus = new Gpus(options.gpu, await findCards(options.gpu, log));
  const interpreters = new Interpreters(options.python);
  const { workerUrl } = addresses;
  const node = { workerUrl, uv: options.uv };
  const driver = new AgentDriver({
    home,
    folder,
    cache: path.join(home, HOME_FILES.nodeCache),
    workerPackage: options.workerPackage,
    workerUrl,
    interpreters,
    log,
  });
  const stops = new StopRequests((workerId, jobIds) => {
    // A command is somebody's worker, which polls.
    if (workers.get(workerId)?.target.spec.command !== null) return false;
    driver.stopJobs(workerId, jobIds);
    return true;
  });

  const webhookTargets = options.allowPrivateWebhooks ? anyAddress : publicOnly;
  const webhooks = new Webhooks({ store, log, allows: webhookTargets });

  const jobs: Jobs = new Jobs({
    store: store.jobs,
    log,
    mayTake: (endpointId, workerId) => {
      const endpoint = endpoints.get(endpointId);
      const worker = workers.get(workerId);
      return !draining && !!endpoint && worker?.target.generation === endpoint.generation && !worker.draining;
    },
    executionTimeout: (id) =>
      (endpoints.get(id)?.spec.executionTimeout ?? DEFAULTS.executionTimeoutSeconds) * 1000,
    changed: (id) => autoscaler.changed(id),
    stopJob: (workerId, jobId) => stops.add(workerId, jobId),
    webhookDue: () => webhooks.wake(),
  });
  const submissions = new Submissions(store.jobs, jobs, options.maxWaitingBytes);
  const workers: Workers = new Workers({
    store,
    driver,
    keys,
    gpus,
    interpreters,
    node,
    log,
    holds: (worker, held) => {
      renewLeases({ jobs, workers, stops, log }, worker, held).catch((error: unknown) =>
        log.error({ err: error, worker: worker.id }, 'the leases of a worker were not renewed'),
      );
    },
    resumed: (worker) => stops.repeat(worker.id),
    exited: (worker) => {
      stops.forget(worker.id);
      gateway.drop(worker.id);
      autoscaler.ended(worker);
      jobs
        .lose(worker.target.id, worker.id, !worker.draining)
        .catch((error: unknown) =>
          log.error({ err: error }, 'the jobs of an ended worker were not re-queued'),
        );
    },
    changed: (worker) => {
      if (worker.state === 'ready') autoscaler.ready(worker);
      balance.wake(worker.target.id);
    },
  });
  const balance: Balance = new Balance({
    endpoints,
    workers: () => workers,
    changed: (id) => autoscaler.changed(id),
  });
  const autoscaler: Autoscaler = new Autoscaler({
    endpoints,
    workers,
    queues: jobs.queues,
    requests: balance,
    log,
  });
  const gateway: Gateway = new Gateway({
    host: options.host,
    firstPort: Math.min(port + 10, 60_000),
    endpoints,
    authorizer,
    allowedHosts,
    balance,
    log,
    unreachable: (worker) => {
      worker.reason = 'The worker accepts no connections.';
      workers.setState(worker, 'unhealthy');
    },
    lost: (worker) => checkHealth(workers, worker),
    blocked: (worker) => {
      worker.draining = true;
      autoscaler.changed(worker.target.id);
    },
    used,
  });
  const underway = new Underway();
  const changes: RolloutContext & { underway: Underway } = {
    store,
    endpoints,
    workers,
    jobs,
    driver,
    log,
    openPort: (id, wished) => gateway.open(id, wished),
    closePort: (id) => gateway.close(id),
    switched: (id) => {
      balance.wake(id);
      autoscaler.changed(id);
    },
    removed: ({ run }) => (run === null ? undefined : liveRuns.wake(run)),
    underway,
  };
  const rollouts = new Rollouts(changes);
  const { quota } = options;
  const deploys = { ...changes, parts, promises, gpus, interpreters, quota, rollouts };
  const deployer = new Deployer(deploys);
  const liveRuns = new LiveRuns({ ...deploys, keys });
  const removals = new Removals({ ...changes, parts, promises, keys });
  const uploads = new Uploads(parts, promises, secret, addresses.url);
  let draining = false;

  for (const endpoint of endpoints.all()) {
    if (endpoint.port === null) continue;
    const opened = await gateway.open(endpoint.id, endpoint.port);
    if (opened === endpoint.port) continue;
    log.warn(
      { endpoint: endpoint.id, name: endpoint.name, former: endpoint.port, port: opened },
      'port was taken',
    );
    endpoint.port = opened;
    await store.deployed.putEndpoint(encodeEndpoint(endpoint));
  }
  store.onQueues((counts) => jobs.update(counts));
  await jobs.load((id) => endpoints.get(id) !== null);
  await workers.adopt(endpoints);
  await rollouts.recover();
  // Workers that ended while nobody watched: their jobs go on at once.
  await jobs.loseOrphans((workerId) => workers.get(workerId) !== null);

  const record: PlatformRecord = {
    url: addresses.url,
    pid: process.pid,
    instance: randomUUID(),
    startedAt: new Date().toISOString(),
    apiVersion: API_VERSION,
    version: options.version,
    driver: options.driver,
  };
  const { apiVersion, version, instance } = record;
  const view = { addresses, endpoints, workers, queues: jobs.queues, autoscaler, gpus };
  const logFolder = (endpointId: string) => driver.logFolder(endpointId);
  serve(server, {
    identity: { service: 'toolkit-platform', apiVersion, version, instance },
    authorizer,
    allowedHosts,
    client: {
      authorizer,
      endpoints,
      jobs,
      submissions,
      view,
      webhookTargets,
      used,
      draining: () => draining,
    },
    worker: { jobs, workers, stops, parts, log },
    uploads,
    state: {
      ...view,
      keys,
      deployer,
      rollouts,
      liveRuns,
      removals,
      store,
      underway,
      uploads,
      quota,
      logFolder,
    },
    log,
    used,
  });
  autoscaler.start();
  webhooks.wake();
  const endWatches = [
    watchJobs(jobs, log),
    watchHealth(() => workers),
    keepHouse({ store, endpoints, workers, parts, promises, underway, logFolder, log }),
  ];
  await writeRecord(home, record);
  log.info(
    { url: record.url, pid: record.pid, version, gpus: gpus.cards.map((card) => card.name) },
    'platform started',
  );
  // Asked for now, so that the first deploy need not wait.
  void interpreters.all();

  const idle = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const unused = performance.now() - idleness.lastUse > PLATFORM_LIMITS.idleExit;
      if (unused && endpoints.all().length === 0 && !underway.busy) resolve();
    }, PLATFORM_LIMITS.idleExit / 20);
    endWatches.push(() => clearInterval(timer));
  });

  const stop = async () => {
    draining = true;
    log.info('platform stops');
    autoscaler.stop();
    liveRuns.stop();
    await rollouts.stop();
    await workers.stopAll(WORKER_LIMITS.stopGrace);
    await driver.close();
    for (const end of endWatches) end();
    await webhooks.stop();
    await gateway.stop();
    await closeServer(server);
    await removeRecord(home, instance);
    await store.close();
    log.info('platform stopped');
  };
  return { record, another: false, idle, stop };
}

/** The wished port exactly; else the one of last time, the default one, or the next free one. */
async function listen(server: Server, { port, host }: PlatformOptions, former: number): Promise<number> {
  if (port === null) {
    const kept = former > 0 ? await listenOn(server, host, former) : null;
    return kept ?? (await listenFrom(server, host, PLATFORM_LIMITS.defaultPort));
  }
  // Any free port, but the one of last time while it is free: workers that live on call it.
  if (port === 0 && former > 0) {
    const kept = await listenOn(server, host, former);
    if (kept !== null) return kept;
  }
  const bound = await listenOn(server, host, port);
  if (bound !== null) return bound;
  throw new ToolkitError('PORT_IN_USE', `The port ${port} on ${host} is taken by another process.`, {
    hint: 'End what listens there, or name another port with --port.',
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
