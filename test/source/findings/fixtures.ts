/** What every file of this folder gives for its code: projects with a mistake, and near misses as real code has them. */
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';

/** A title that says the behaviour, and a project written as `fixture.ts` tells. */
type FindingFixture = [title: string, fixture: string];

export interface FindingFixtures {
  /** What its fixes change beside the finding: fields of the endpoints' documents, and codes that go or come to light. */
  repairs?: { changes?: readonly string[]; others?: readonly DiagnosticCode[] };
  /** At least two; each finding of the code tells its message, fix and places in full. */
  fires: readonly FindingFixture[];
  /** At least three that must not be found, from real code. */
  silent: readonly FindingFixture[];
}

/** The first line of most fixtures. */
export const SDK = 'from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup, GpuType';
