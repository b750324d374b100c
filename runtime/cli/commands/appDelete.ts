/** `toolkit app delete NAME`: deletes an app with its environments and their endpoints. */
import { ToolkitError } from '../../contract/errors.ts';
import { deleteApp, listApps } from '../../deploy/apps.ts';
import { appDocument } from '../appDocuments.ts';
import { requireConsent } from '../consent.ts';
import { count } from '../format.ts';
import { openPlatform } from '../openPlatform.ts';
import { paint } from '../paint.ts';
import { requireName } from '../requireName.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ args, flags, session }) => {
  const name = requireName('app', args[0]!);
  const client = await openPlatform(session);
  const apps = await listApps(client, session.signal);
  const found = apps.find((app) => app.name === name);
  if (!found) {
    throw new ToolkitError('APP_NOT_FOUND', `There is no app "${name}" on ${client.url}.`, {
      hint:
        apps.length > 0
          ? `Existing apps: ${apps.map((app) => app.name).join(', ')}.`
          : 'The platform has no apps.',
    });
  }
  const { environments, endpoints } = appDocument(found);
  const lost = `${count(environments.length, 'environment')} and ${count(endpoints, 'endpoint')}`;
  await requireConsent(session, flags, `the app ${name} with ${lost}`);
  session.report({ type: 'step', message: `Deleting ${name}` });
  const gone = await deleteApp(client, name, session.signal);
  session.result([appDocument(gone)], `${paint.green('✓')} Deleted the app ${name} with ${lost}.`);
};
