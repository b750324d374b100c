/** The dev server of the project, for an editor that attaches to it. */
import { readSettings } from '../../deploy/settings.ts';
import { findDev } from '../../dev/attach/devRecords.ts';
import { projectRoot } from '../openProject.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const { toolkitHome } = readSettings(null, session.env);
  session.result(await findDev(toolkitHome, projectRoot(session)), '');
};
