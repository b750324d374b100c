/** What is left to do once endpoints are gone from the store: whoever waits is told, workers and files go. */
import type { DeployedEndpoint } from '../endpoints.ts';
import type { RolloutContext } from './rolloutContext.ts';

/** Cleans up after endpoints that the store and `Endpoints` know no more; resolves when their workers are gone. */
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
