/** `toolkit app create NAME`: creates an app without environments. */
import { createApp } from '../../deploy/apps.ts';
import { appDocument } from '../appDocuments.ts';
import { openPlatform } from '../openPlatform.ts';
import { paint } from '../paint.ts';
import { requireName } from '../requireName.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ args, session }) => {
  const name = requireName('app', args[0]!);
  const app = await createApp(await openPlatform(session), name, session.signal);
  session.result([appDocument(app)], `${paint.green('✓')} Created the app ${app.name}.`);
};
