/** The platform a command speaks to: the one PLATFORM_API_URL names, else the embedded one, started on demand. */
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

/** A client for the platform of this project; a missing or foreign key is told before anything starts. */
export async function connect(session: Session, settings: Settings): Promise<PlatformClient> {
  const url = platformUrl(settings);
  if (url !== null) return new PlatformClient(url, resolveKey(settings, url), false);
  const record = await ensurePlatform(platformOptions(settings), session.note, session.signal);
  return new PlatformClient(record.url, resolveKey(settings, record.url, { embedded: true }), true);
}

/** The same without starting anything; null where it would have to start the embedded platform. */
export async function findConnection(settings: Settings): Promise<PlatformClient | null> {
  const url = platformUrl(settings);
  if (url !== null) return new PlatformClient(url, resolveKey(settings, url), false);
  const record = await findPlatform(settings.toolkitHome);
  return record && new PlatformClient(record.url, resolveKey(settings, record.url, { embedded: true }), true);
}

const DEFAULT_WISHES = {
  port: null,
  quota: PROJECT_LIMITS.workersQuota,
  gpu: 'auto',
  allowPrivateWebhooks: false,
  maxWaitingBytes: JOB_LIMITS.waitingBytes,
} as const;

/** How this toolkit starts its embedded platform. */
export function platformOptions(
  settings: Settings,
  wishes: Pick<
    PlatformOptions,
    'port' | 'quota' | 'gpu' | 'allowPrivateWebhooks' | 'maxWaitingBytes'
  > = DEFAULT_WISHES,
): PlatformOptions {
  return {
    home: settings.toolkitHome,
    ...wishes,
    host: '127.0.0.1',
    advertise: null,
    driver: 'process',
    version: VERSION,
    workerPackage: sdkWheel(),
    python: settings.environment['TOOLKIT_PYTHON'] || null,
    uv: ownUv(settings.toolkitHome),
  };
}
