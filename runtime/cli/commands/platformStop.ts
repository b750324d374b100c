/** `toolkit platform stop`: stops the embedded platform and all its workers. */
import { stopPlatform } from '../../deploy/embeddedPlatform.ts';
import { readSettings } from '../../deploy/settings.ts';
import { platformDocument } from '../platformDocument.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const { toolkitHome } = readSettings(null, session.env);
  const stopped = await stopPlatform(toolkitHome);
  session.result(
    platformDocument(toolkitHome, null),
    stopped
      ? `Stopped the embedded platform at ${stopped.url} and all its workers.`
      : 'The embedded platform was not running.',
  );
};
