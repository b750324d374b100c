/** Formats numbers and tables for people. 1 MB is 10⁶ bytes. */
import { textWidth } from './textWidth.ts';

/** `1.2 MB`, `340 kB`, `12 B`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}

/** `0.3 s`, `12 s`, `2 min 5 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `1 endpoint`, `3 endpoints`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `2026-03-01 14:05:09`, in this machine's time zone. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** Rows in columns, two spaces apart; the last column is not padded. */
export function table(rows: string[][], indent = ''): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))));
  return rows
    .map((row) => {
      const cells = row.map((cell, i) =>
        i === row.length - 1 ? cell : cell + ' '.repeat(widths[i]! - textWidth(cell)),
      );
      return (indent + cells.join('  ')).trimEnd();
    })
    .join('\n');
}
