/** The result of `platform start`, `stop` and `status`. */
import type { PlatformDocument } from '../contract/cliDocuments.ts';
import type { PlatformRecord } from '../contract/stateManager.ts';

export function platformDocument(home: string, record: PlatformRecord | null): PlatformDocument {
  return {
    running: record !== null,
    url: record?.url ?? null,
    pid: record?.pid ?? null,
    home,
    driver: record?.driver ?? null,
    version: record?.version ?? null,
  };
}
