/** Connects to the platform for commands that do not read the project's code. */
import type { PlatformClient } from '../deploy/platformClient.ts';
import { readSettings } from '../deploy/settings.ts';
import { connect } from './connect.ts';
import { projectRoot } from './openProject.ts';
import type { Session } from './session.ts';

export async function openPlatform(session: Session): Promise<PlatformClient> {
  return connect(session, readSettings(projectRoot(session), session.env, session.editorKeys));
}
