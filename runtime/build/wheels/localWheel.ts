/** A wheel that lies on this machine. */

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

/** How a wheel begins a sentence. */
export function wheelLabel(wheel: { name: string; version: string }): string {
  return `The wheel of ${wheel.name} ${wheel.version}`;
}
