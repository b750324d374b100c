/** Parses `--since`: a duration or a time. */
import { ToolkitError } from '../contract/errors.ts';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/**
 * The time as ISO 8601 in UTC; null if the flag was not given.
 *
 * @throws ToolkitError USAGE
 */
export function parseSince(text: string | null, now: Date): string | null {
  if (text === null) return null;
  const ago = /^(\d+(?:\.\d+)?)\s*([smhd])$/.exec(text.trim());
  const milliseconds = ago
    ? now.getTime() - Number(ago[1]) * SECONDS[ago[2] as keyof typeof SECONDS] * 1_000
    : /^\d{4}-\d\d-\d\d/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  const instant = new Date(milliseconds);
  if (!Number.isNaN(instant.getTime())) return instant.toISOString();
  throw new ToolkitError('USAGE', `--since must be a duration or an ISO 8601 time, not "${text}".`, {
    hint: 'For example: --since 30s, 10m, 2h or 1d, or --since 2026-03-01T14:05:00Z.',
  });
}
