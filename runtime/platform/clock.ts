/** The platform's time of day: right at its start, and from then on steady, whatever happens to the machine's clock. */

/** Milliseconds since 1970. A machine's clock that is set meanwhile moves no time to live and no duration; the time that it is suspended does not count. */
export function wallClock(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
