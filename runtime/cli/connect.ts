/** The platform that a command uses: the one at PLATFORM_API_URL, else the embedded one, started on demand. */
import { sdkWheel } from '../build/code/sdkCopy.ts';
import { ownUv } from '../build/dependencies/installer.ts';
import { JOB_LIMITS, PROJECT_LIMITS } from '../contract/limits.ts';
import type { PlatformOptions } from '../contract/platformOptions.ts';
import { platformUrl, resolveKey } from '../deploy/credentials.ts';
import { ensurePlatform, findPlatform } from '../deploy/embeddedPlatform.ts';
import { PlatformClient } from '../deploy/platformClient.ts';
import type { Settings } from '../deploy/settings.ts';
import type { Session } from './session.ts';
import { VERSION } from './version.ts';

/** A client for this project's platform. A missing key, or one for another platform, fails before anything starts. */
export async function connect(session: Session, settings: Settings): Promise<PlatformClient> {
  const url = platformUrl(settings);
  if (url !== null) return new PlatformClient(url, resolveKey(settings, url), false);
  const record = await ensurePlatform(platformOptions(settings), session.note, session.signal);
  return new PlatformClient(record.url, resolveKey(settings, record.url, { embedded: true }), true);
}

/** Like `connect`, but starts nothing; null if the embedded platform is not running. */
export async function findConnection(settings: Settings): Promise<PlatformClient | null> {
  const url = platformUrl(settings);
  if (url !== null) return new PlatformClient(url, resolveKey(settings, url), false);
  const record = await findPlatform(settings.toolkitHome);
  return record && new PlatformClient(record.url, resolveKey(settings, record.url, { embedded: true }), true);
}

const DEFAULTS = {
  port: null,
  quota: PROJECT_LIMITS.workersQuota,
  gpu: 'auto',
  allowPrivateWebhooks: false,
  maxWaitingBytes: JOB_LIMITS.waitingBytes,
} as const;

/** The options that this toolkit starts its embedded platform with. */
export function platformOptions(
  settings: Settings,
  chosen: Pick<
    PlatformOptions,
    'port' | 'quota' | 'gpu' | 'allowPrivateWebhooks' | 'maxWaitingBytes'
  > = DEFAULTS,
): PlatformOptions {
  return {
    home: settings.toolkitHome,
    ...chosen,
    host: '127.0.0.1',
    advertise: null,
    driver: 'process',
    version: VERSION,
    workerPackage: sdkWheel(),
    python: settings.environment['TOOLKIT_PYTHON'] || null,
    uv: ownUv(settings.toolkitHome),
  };
}
