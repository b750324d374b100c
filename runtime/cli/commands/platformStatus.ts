/** `toolkit platform status`: prints whether the embedded platform is running, and its address. */
import { findPlatform } from '../../deploy/embeddedPlatform.ts';
import { readSettings } from '../../deploy/settings.ts';
import { platformDocument } from '../platformDocument.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const { toolkitHome } = readSettings(null, session.env);
  const record = await findPlatform(toolkitHome);
  session.result(
    platformDocument(toolkitHome, record),
    record
      ? `The embedded platform is running at ${record.url} (pid ${record.pid}, ${record.driver} driver, version ${record.version}).`
      : 'The embedded platform is not running. "toolkit deploy" or "toolkit platform start" starts it.',
  );
};
