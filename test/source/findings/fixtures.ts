/**
 * The exports of every file in this folder for its code: projects with a mistake, and similar ones from real
 * code without it.
 */
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';

/** A title that states the behavior, and a project in the format of `fixture.ts`. */
type FindingFixture = [title: string, fixture: string];

export interface FindingFixtures {
  /**
   * What its fixes change in addition to the finding: fields of the endpoints' documents, and codes that
   * disappear or appear.
   */
  repairs?: { changes?: readonly string[]; others?: readonly DiagnosticCode[] };
  /** At least two. Each finding of the code has its message, fix and locations in full. */
  fires: readonly FindingFixture[];
  /** At least three from real code, without the finding. */
  silent: readonly FindingFixture[];
}

/** The first line of most fixtures. */
export const SDK = 'from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup, GpuType';
