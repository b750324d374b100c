/**
 * Long work in small steps: whoever runs it may do something else, or stop, between two of them. A command runs all of
 * them at once, the editor a few at a time.
 */

export type Steps<Result = void> = Generator<void, Result, void>;

/** Runs all steps; `between` is called after each and may throw to stop. */
export function runSteps<Result>(steps: Steps<Result>, between: () => void = () => {}): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    between();
  }
}
