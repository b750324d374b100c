/** What is deployed in the project's environment. An editor polls it, so it never starts the platform. */
import type { DeployedProject } from '../../contract/coreMessages.ts';
import { readSettings, resolveContext } from '../../deploy/settings.ts';
import { readProjectConfig } from '../../source/projectConfig.ts';
import { findConnection } from '../connect.ts';
import { projectRoot } from '../openProject.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const root = projectRoot(session);
  const settings = readSettings(root, session.env, session.editorKeys);
  const { app, environment } = resolveContext(settings, session.flags, readProjectConfig(root).app);
  const client = await findConnection(settings);
  const remote = client && (await client.environment(app, environment, session.signal));
  const endpoints = (remote?.endpoints ?? []).filter(({ live }) => !live);
  const platform = client && { url: client.url, embedded: client.embedded };
  session.result({ app, environment, platform, endpoints } satisfies DeployedProject, '');
};
