/** What a deploy would change, based on the existing lock. Starts no platform and resolves no dependencies. */
import { tmpdir } from 'node:os';
import { lockedDependencies } from '../../build/installDependencies.ts';
import { prepareApp } from '../../build/prepareBuild.ts';
import { refuseErrors } from '../../build/refuseErrors.ts';
import type { PendingChanges } from '../../contract/coreMessages.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { encodeManifest } from '../../contract/manifest.ts';
import { fillSecrets } from '../../deploy/secrets.ts';
import { buildRequest } from '../buildRequest.ts';
import { findConnection } from '../connect.ts';
import { openProject } from '../openProject.ts';
import type { Handler, Session } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const changes = await pendingChanges(session).catch((error: unknown): PendingChanges => {
    if (!(error instanceof ToolkitError) || session.signal.aborted) throw error;
    return { state: 'unknown', reason: error.message };
  });
  session.result(changes, '');
};

async function pendingChanges(session: Session): Promise<PendingChanges> {
  const project = await openProject(session);
  const { reading, settings, context } = project;
  const client = await findConnection(settings);
  if (!client) return { state: 'unknown', reason: 'The embedded platform is not running.' };
  refuseErrors(reading);
  const { signal } = session;
  const request = buildRequest(project, session, {
    exclude: null,
    keepBuild: false,
    output: null,
    upgrade: false,
  });
  const app = await prepareApp({ ...request, signal, report: () => {} }, tmpdir(), lockedDependencies);
  const secrets = fillSecrets(reading.endpoints, settings);
  const { plan } = await client.plan({ ...context, manifest: encodeManifest(app), secrets }, signal);
  return { state: 'known', plan };
}
