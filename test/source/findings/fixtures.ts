/** What every file of this folder gives for its code: projects with a mistake, and near misses as real code has them. */

/** A title that says the behaviour, and a project written as `fixture.ts` tells. */
type RuleFixture = [title: string, fixture: string];

export interface RuleFixtures {
  /** At least two; each finding of the code tells its message, fix and places in full. */
  fires: readonly RuleFixture[];
  /** At least three that must not be found, from real code. */
  silent: readonly RuleFixture[];
}

/** The first line of most fixtures. */
export const SDK = 'from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup, GpuType';
