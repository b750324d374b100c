/** The project's running dev servers, for an editor that attaches to one. */
import { readSettings } from '../../deploy/settings.ts';
import { findDevs, watchDevRecords } from '../../dev/attach/devRecords.ts';
import { projectRoot } from '../openProject.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ flags, session }) => {
  const { toolkitHome } = readSettings(null, session.env);
  const root = projectRoot(session);
  if (flags['follow'] === true) {
    for await (const _ of watchDevRecords(toolkitHome, session.signal))
      session.line(await findDevs(toolkitHome, root), '');
  }
  session.result(await findDevs(toolkitHome, root), '');
};
