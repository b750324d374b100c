/** Apps and environments as JSON documents and as text. */
import type { AppsDocument, EnvironmentsDocument } from '../contract/cliDocuments.ts';
import type { RemoteApp } from '../deploy/apps.ts';
import type { RemoteEnvironment } from '../deploy/platformClient.ts';
import { count, table } from './format.ts';

export function appDocument({ name, environments }: RemoteApp): AppsDocument[number] {
  return {
    name,
    environments: environments.map((environment) => environment.name),
    endpoints: environments.reduce((sum, { endpoints }) => sum + endpoints.length, 0),
  };
}

export function environmentDocument(environment: RemoteEnvironment): EnvironmentsDocument[number] {
  const { name, app, build, endpoints } = environment;
  return { name, app, build, endpoints: endpoints.map((endpoint) => endpoint.name) };
}

/** One line per app. */
export function formatApps(apps: AppsDocument): string {
  return table(
    apps.map(({ name, environments, endpoints }) => [
      name,
      count(endpoints, 'endpoint'),
      environments.join(', ') || 'no environments',
    ]),
  );
}

/** One line per environment. */
export function formatEnvironments(environments: EnvironmentsDocument): string {
  return table(
    environments.map(({ name, build, endpoints }) => [
      name,
      build === 0 ? 'never deployed' : `build ${build}`,
      endpoints.join(', ') || 'no endpoints',
    ]),
  );
}
