/** Cleans up after endpoints were removed from the store: ends waits, stops workers and removes files. */
import type { DeployedEndpoint } from '../endpoints.ts';
import type { RolloutContext } from './rolloutContext.ts';

/**
 * Cleans up after endpoints that were removed from the store and from `Endpoints`. Resolves when their
 * workers are gone.
 */
export async function cleanUpRemoved(context: RolloutContext, removed: DeployedEndpoint[]): Promise<void> {
  const { jobs, workers, driver, log } = context;
  await Promise.all(
    removed.map(async (endpoint) => {
      context.events.emit('endpointRemoved', endpoint);
      await jobs.drop(endpoint.id);
      context.gateway.close(endpoint.id);
      await Promise.all(workers.of(endpoint.id).map((worker) => workers.stop(worker)));
      await driver.forget(endpoint.id);
      log.info({ endpoint: endpoint.id, name: endpoint.name }, 'endpoint removed');
    }),
  );
}
