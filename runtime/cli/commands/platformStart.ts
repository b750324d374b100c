/** `toolkit platform start`: starts the embedded platform unless it is running. */
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS, PROJECT_LIMITS } from '../../contract/limits.ts';
import { GPU_MODES } from '../../contract/platformOptions.ts';
import { ensurePlatform, findPlatform } from '../../deploy/embeddedPlatform.ts';
import { readSettings } from '../../deploy/settings.ts';
import { platformOptions } from '../connect.ts';
import { platformDocument } from '../platformDocument.ts';
import { type Handler, textFlag } from '../session.ts';

export const handle: Handler = async ({ flags, session }) => {
  const settings = readSettings(null, session.env);
  const gpu = textFlag(flags, 'gpu');
  const options = platformOptions(settings, {
    port: wholeNumber(textFlag(flags, 'port'), '--port 8890', 65_535),
    quota: wholeNumber(textFlag(flags, 'quota'), '--quota 30', 100_000) ?? PROJECT_LIMITS.workersQuota,
    gpu: GPU_MODES.find((mode) => mode === gpu) ?? 'auto',
    allowPrivateWebhooks: flags['allowPrivateWebhooks'] === true,
    maxWaitingBytes:
      wholeNumber(textFlag(flags, 'maxWaitingBytes'), '--max-waiting-bytes 2000000000', null) ??
      JOB_LIMITS.waitingBytes,
  });
  const running = await findPlatform(settings.toolkitHome);
  const record = running ?? (await ensurePlatform(options, () => {}, session.signal));
  if (running && Object.keys(flags).length > 0) {
    session.note(
      'The platform was already running, so these flags have no effect. Run "toolkit platform stop" first to change them.',
    );
  }
  session.result(
    platformDocument(settings.toolkitHome, record),
    `The embedded platform ${running ? 'is running' : 'has started'} at ${record.url} (pid ${record.pid}, state in ${settings.toolkitHome}).`,
  );
};

/**
 * @param example - The flag with a value.
 * @param most - The largest value, with 0 as the smallest; null for any value above 0.
 */
function wholeNumber(text: string | null, example: string, most: number | null): number | null {
  if (text === null) return null;
  const value = Number(text);
  const fits = most === null ? Number.isSafeInteger(value) && value > 0 : value >= 0 && value <= most;
  if (fits && Number.isInteger(value)) return value;
  const [flag] = example.split(' ');
  const range = most === null ? 'above 0' : `from 0 to ${most}`;
  throw new ToolkitError('USAGE', `${flag} must be a whole number ${range}, not "${text}".`, {
    hint: `For example: ${example}.`,
  });
}
