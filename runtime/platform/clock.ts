/** The platform's clock: correct at its start, then steady even if the machine's clock is set. */

/**
 * Milliseconds since 1970. Setting the machine's clock changes no time to live and no duration. Time while
 * the machine is suspended does not count.
 */
export function wallClock(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
