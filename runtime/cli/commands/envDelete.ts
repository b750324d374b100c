/** `toolkit env delete NAME`: deletes an environment with its endpoints. */
import { deleteEnvironment } from '../../deploy/apps.ts';
import { environmentDocument } from '../appDocuments.ts';
import { findEnvironment, openEnvironments } from '../appEnvironments.ts';
import { requireConsent } from '../consent.ts';
import { count } from '../format.ts';
import { paint } from '../paint.ts';
import { requireName } from '../requireName.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ args, flags, session }) => {
  const name = requireName('environment', args[0]!);
  const opened = await openEnvironments(session);
  const { app, client } = opened;
  const { endpoints } = findEnvironment(opened, name);
  const lost = count(endpoints.length, 'endpoint');
  await requireConsent(session, flags, `the environment ${app}/${name} with ${lost}`);
  session.report({ type: 'step', message: `Deleting ${app}/${name}` });
  const gone = await deleteEnvironment(client, app, name, session.signal);
  session.result(
    [environmentDocument(gone)],
    `${paint.green('✓')} Deleted the environment ${app}/${name} with ${lost}.`,
  );
};
