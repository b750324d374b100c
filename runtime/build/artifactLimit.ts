/** The limit on an artifact's size, checked as sizes become known. Its error names the largest packages. */
import { ToolkitError } from '../contract/errors.ts';
import { PROJECT_LIMITS } from '../contract/limits.ts';

const LISTED = 5;

/** Adds up the artifact's size. Wheels keep their compression in the artifact, so their sizes are the parts' sizes. */
export class ArtifactLimit {
  readonly #packages = new Map<string, number>();

  /**
   * Adds a wheel's size in bytes.
   *
   * @param copies How many dependency sets contain it.
   * @throws ToolkitError ARTIFACT_TOO_LARGE as soon as the sum is over the limit.
   */
  note(wheel: { name: string; version: string; bytes: number }, copies = 1): void {
    this.#packages.set(`${wheel.name} ${wheel.version}`, wheel.bytes * copies);
    this.check([...this.#packages.values()].reduce((sum, bytes) => sum + bytes, 0));
  }

  /**
   * Checks a size in bytes.
   *
   * @throws ToolkitError ARTIFACT_TOO_LARGE
   */
  check(bytes: number): void {
    if (bytes <= PROJECT_LIMITS.artifactBytes) return;
    const largest = [...this.#packages].sort((a, b) => b[1] - a[1]).slice(0, LISTED);
    const listed = largest.map(([name, size]) => `${name} (${megabytes(size)})`).join(', ');
    const what = listed ? ` The largest packages are ${listed}.` : '';
    throw new ToolkitError(
      'ARTIFACT_TOO_LARGE',
      `The artifact is at least ${megabytes(bytes)}, over the limit of 1.5 GB.${what}`,
      {
        hint: largest[0]
          ? `Exclude packages that the workers do not need, for example with --exclude ${largest[0][0].split(' ')[0]}.`
          : 'List large files in .toolkitignore, or exclude packages with --exclude.',
      },
    );
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
