/**
 * Tests inside the extension host: each is reported in one line, in order, and a failure does not stop the
 * others.
 */
import { isDeepStrictEqual } from 'node:util';

type Test = { title: string; run: () => Promise<void> };

const tests: Test[] = [];

export function it(title: string, run: () => Promise<void>): void {
  tests.push({ title, run });
}

/** Called by VS Code. */
export async function run(): Promise<void> {
  for (const { title, run } of tests) {
    const failure = await run().then(
      () => null,
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    console.log(`HOST ${JSON.stringify({ title, failure })}`);
  }
}

/** Retries until the response is the expected one. At the end, the last response is the failure. */
export async function eventually<T>(ask: () => T | PromiseLike<T>, expected: unknown): Promise<void> {
  const until = performance.now() + 20_000;
  for (;;) {
    const answer = await ask();
    if (isDeepStrictEqual(answer, expected)) return;
    if (performance.now() > until)
      throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
