/** Code → its fixtures, from the file of the same name in this folder. */
import { DIAGNOSTIC_SEVERITY } from '../../../runtime/contract/diagnosticSeverity.ts';
import type { FindingFixtures } from './fixtures.ts';

export const FIXTURES: Readonly<Record<string, FindingFixtures>> = Object.fromEntries(
  await Promise.all(
    Object.keys(DIAGNOSTIC_SEVERITY).map(async (code): Promise<[string, FindingFixtures]> => {
      const { fixtures } = (await import(`./${code}.ts`)) as { fixtures: FindingFixtures };
      return [code, fixtures];
    }),
  ),
);
