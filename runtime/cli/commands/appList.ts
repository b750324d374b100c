/** `toolkit app list`: lists the platform's apps. */
import { listApps } from '../../deploy/apps.ts';
import { appDocument, formatApps } from '../appDocuments.ts';
import { openPlatform } from '../openPlatform.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const apps = (await listApps(await openPlatform(session), session.signal)).map(appDocument);
  session.result(
    apps,
    apps.length > 0 ? formatApps(apps) : 'There are no apps. "toolkit deploy" creates one.',
  );
};
