/**
 * Long work in small steps: the caller may do something else, or stop, between two steps. A command runs all steps at
 * once, the editor a few at a time. A step that waits for something to load yields a promise of it.
 */

export type Steps<Result = void> = Generator<Promise<unknown> | void, Result, void>;

/** Runs all steps of work that loads nothing. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs all steps; `between` is called after each and may throw to stop. */
export async function finishSteps<Result>(
  steps: Steps<Result>,
  between: () => void = () => {},
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value) await step.value;
    between();
  }
}
