/**
 * Assembles the platform: store, keys, endpoints, workers, jobs, gateway, state manager, and its main port.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { WORKER_LIMITS } from '../contract/limits.ts';
import type { PlatformOptions } from '../contract/platformOptions.ts';
import { API_VERSION, HOME_FILES, type PlatformRecord } from '../contract/stateManager.ts';
import { writeAgentSecret } from './auth/agentSecret.ts';
import { Authorizer } from './auth/authorize.ts';
import { Keys } from './auth/keys.ts';
import { ensureOwnerKey } from './auth/ownerKey.ts';
import { newSecret } from './auth/secret.ts';
import { AgentDriver } from './drivers/agentDriver.ts';
import { admitAgents } from './drivers/agentTunnel.ts';
import { Endpoints } from './endpoints.ts';
import { PlatformEvents } from './events.ts';
import { Balance } from './gateway/balance.ts';
import { Gateway } from './gateway/gateway.ts';
import { watchHealth } from './gateway/watchHealth.ts';
import { findCards } from './hardware/findCards.ts';
import { Gpus } from './hardware/gpus.ts';
import { AllowedHosts } from './http/allowedHosts.ts';
import { Interpreters } from './interpreters.ts';
import { Jobs } from './jobs/jobs.ts';
import { watchLeases } from './jobs/renewLeases.ts';
import { StopRequests } from './jobs/stopRequests.ts';
import { Submissions } from './jobs/submissions.ts';
import { watchJobs } from './jobs/watchJobs.ts';
import { Webhooks } from './jobs/webhooks.ts';
import { anyAddress, publicOnly } from './jobs/webhookTarget.ts';
import { Lifetime } from './lifetime.ts';
import { openLog } from './log.ts';
import { Opened } from './opened.ts';
import { closeServer, openServer } from './openServer.ts';
import { openStore } from './openStore.ts';
import { removeRecord, writeRecord } from './record.ts';
import { serve } from './server.ts';
import { Deployer } from './stateManager/deployer.ts';
import { LiveRuns } from './stateManager/liveRuns.ts';
import { startMaintenance } from './stateManager/maintenance.ts';
import { PartPromises } from './stateManager/partPromises.ts';
import { Parts } from './stateManager/parts.ts';
import { Removals } from './stateManager/removals.ts';
import { Rollouts } from './stateManager/rollouts.ts';
import { Underway } from './stateManager/underway.ts';
import { Uploads } from './stateManager/uploads.ts';
import { Store } from './store/store.ts';
import { Autoscaler } from './workers/autoscaler.ts';
import { Workers } from './workers/workers.ts';

export interface Platform {
  record: PlatformRecord;
  /**
   * True if another process of this TOOLKIT_HOME was already running. `record` is then that of the other
   * process.
   */
  another: boolean;
  /** Resolves when nothing is deployed and the platform has been idle for `idleExit`. */
  idle: Promise<void>;
  /** Ends every worker and closes everything. The state is kept. */
  stop(): Promise<void>;
}

/**
 * Starts the platform of a TOOLKIT_HOME, or finds the running one.
 *
 * @param entry The program's own module. Loaded in a thread, it runs the store.
 * @throws ToolkitError PORT_IN_USE, PLATFORM_NEWER, PLATFORM_START_FAILED, STORAGE_FULL.
 */
export async function startPlatform(options: PlatformOptions, entry: URL): Promise<Platform> {
  const folder = path.join(options.home, HOME_FILES.platformDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const held = await openStore(options.home, path.join(folder, 'store.sqlite'), entry);
  if (!(held instanceof Store)) {
    return { record: held, another: true, idle: new Promise(() => {}), stop: async () => {} };
  }
  const opened = new Opened();
  opened.closeWith(() => held.close());
  try {
    return await composePlatform(options, folder, held, opened);
  } catch (error) {
    // Workers keep running for the next start.
    await opened.close();
    throw error;
  }
}

/** @param opened Gets everything that must be closed at the end, or when the start fails. */
async function composePlatform(
  options: PlatformOptions,
  folder: string,
  store: Store,
  opened: Opened,
): Promise<Platform> {
  const { home, host, quota } = options;
  const log = openLog(home);
  const facts = new Map((await store.facts.all()).map(({ name, value }) => [name, value]));
  const secret = facts.get('secret') ?? newSecret();
  if (!facts.has('secret')) await store.facts.put('secret', secret);
  const instance = randomUUID();
  opened.closeWith(() => removeRecord(home, instance));
  const { server, port, addresses } = await openServer(options, Number(facts.get('port') ?? 0));
  opened.closeWith(() => closeServer(server));
  const { url, workerUrl } = addresses;
  const allowedHosts = new AllowedHosts([url, workerUrl]);
  const keys = await Keys.load(store, secret);
  await ensureOwnerKey(home, url, facts.get('url') ?? null, keys);
  await store.facts.put('port', String(port));
  await store.facts.put('url', url);

  const events = new PlatformEvents();
  const lifetime = new Lifetime(events);
  const authorizer = new Authorizer(keys);
  const endpoints = await Endpoints.load(store);
  const parts = await Parts.load(store, path.join(folder, 'parts'), log);
  const promises = new PartPromises();
  const cards = await findCards(options.gpu, log);
  const interpreters = new Interpreters(options.python);
  const agentSecret = await writeAgentSecret(folder, secret);
  const driver = new AgentDriver({
    home,
    folder,
    cache: path.join(home, HOME_FILES.nodeCache),
    workerPackage: options.workerPackage,
    agentSecret,
    workerUrl,
    interpreters,
    endpoints: () => endpoints.all().map(({ id }) => id),
    uv: options.uv,
    log,
  });
  opened.closeWith(() => driver.detach());
  const gpus = new Gpus(options.gpu, cards, () => driver.remoteNodes());
  const workers = new Workers({ store, driver, keys, gpus, events, log });

  const stops = new StopRequests({ workers, driver, events });
  const webhookTargets = options.allowPrivateWebhooks ? anyAddress : publicOnly;
  const webhooks = new Webhooks({ store, events, log, allows: webhookTargets });
  opened.closeWith(() => webhooks.stop());
  const jobs = new Jobs({ store: store.jobs, endpoints, workers, lifetime, events, log });
  const submissions = new Submissions(store.jobs, jobs, options.maxWaitingBytes);

  const balance = new Balance({ endpoints, workers, events });
  const { queues } = jobs;
  const autoscaler = new Autoscaler({ endpoints, workers, queues, requests: balance, gpus, events, log });
  opened.closeWith(() => autoscaler.stop());
  const gateway = new Gateway({
    host,
    firstPort: Math.min(port + 10, 60_000),
    endpoints,
    authorizer,
    allowedHosts,
    workers,
    balance,
    events,
    log,
  });

  opened.closeWith(() => gateway.stop());

  const underway = new Underway();
  const changes = { store, endpoints, workers, autoscaler, jobs, driver, gateway, events, log };
  const rollouts = new Rollouts(changes);
  const deploys = { ...changes, parts, promises, gpus, interpreters, quota, rollouts, underway };
  const deployer = new Deployer(deploys);
  const liveRuns = new LiveRuns({ ...deploys, keys });
  opened.closeWith(() => liveRuns.stop());
  const removals = new Removals({ ...changes, parts, promises, keys, underway });
  const uploads = new Uploads(parts, promises, secret, url);

  await gateway.reopen(store);
  store.onQueues((counts) => jobs.update(counts));
  watchLeases({ jobs, workers, stops, events, log });
  await jobs.load();
  // Accept other agents before waiting for the local one: otherwise they would end their workers.
  admitAgents({
    server,
    secret: agentSecret,
    allowedHosts,
    log,
    accept: (socket) => driver.accept(socket),
    carry: (stream, socket) => driver.carry(stream, socket),
  });
  await workers.adopt(endpoints);
  await rollouts.recover();
  // Jobs of workers that ended while the platform was not running continue at once.
  await jobs.requeueOrphans();

  const { driver: driverName, version } = options;
  const startedAt = new Date().toISOString();
  const record = {
    url,
    pid: process.pid,
    instance,
    startedAt,
    apiVersion: API_VERSION,
    version,
    driver: driverName,
  };
  const identity = { service: 'toolkit-platform' as const, apiVersion: API_VERSION, version, instance };
  const view = { addresses, endpoints, workers, queues, autoscaler, gpus };
  const logsOf = (endpointId: string) => driver.logs(endpointId);
  const manager = {
    keys,
    deployer,
    rollouts,
    liveRuns,
    removals,
    store,
    underway,
    uploads,
    quota,
    logsOf,
  };
  serve(server, {
    identity,
    authorizer,
    allowedHosts,
    client: { authorizer, endpoints, jobs, submissions, view, webhookTargets, lifetime, events },
    worker: { jobs, workers, stops, parts, log },
    uploads,
    state: { ...view, ...manager },
    events,
    log,
  });
  autoscaler.start();
  webhooks.wake();
  opened.closeWith(watchJobs(jobs, log));
  opened.closeWith(watchHealth(workers));
  opened.closeWith(startMaintenance({ store, endpoints, workers, parts, promises, underway, logsOf, log }));
  await writeRecord(home, record);
  log.info({ url, pid: process.pid, version, gpus: cards.map((card) => card.name) }, 'platform started');
  // Start the search now, so that the first deploy need not wait.
  void interpreters.all();

  const stop = async () => {
    lifetime.stop();
    log.info('platform stopping');
    autoscaler.stop();
    driver.abandonUnreached();
    liveRuns.stop();
    await rollouts.stop();
    // Now, since their workers are about to end.
    await gateway.cutUpgrades();
    await workers.stopAll(WORKER_LIMITS.stopGrace);
    await driver.close();
    await opened.close();
    log.info('platform stopped');
  };
  return { record, another: false, idle: lifetime.idle(endpoints, underway), stop };
}
