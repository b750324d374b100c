/** A wheel on this machine. */

/** One wheel of a dependency set. */
export interface LocalWheel {
  /** Normalized name of the distribution. */
  name: string;
  version: string;
  /** Hex sha256 of the file. */
  sha256: string;
  path: string;
  /** Bytes of the file. */
  bytes: number;
}

/** The name of a wheel in messages, at the start of a sentence. */
export function wheelLabel(wheel: { name: string; version: string }): string {
  return `The wheel of ${wheel.name} ${wheel.version}`;
}
