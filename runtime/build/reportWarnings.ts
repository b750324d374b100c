/** Reports the warnings of `toolkit check` during a build: most of them are about code that would fail only on a worker. */
import type { ReportProgress } from '../contract/progress.ts';
import type { ProjectReading } from '../source/reading.ts';
import { MOST_LISTED } from './refuseErrors.ts';

/** Reports the first warnings of a reading, and how many more there are. */
export function reportWarnings({ diagnostics }: ProjectReading, report: ReportProgress): void {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
  for (const { file, range, message, fix } of warnings.slice(0, MOST_LISTED)) {
    const place = `${file}:${range.start.line + 1}:${range.start.character + 1}`;
    report({ type: 'warning', message: [`${place}: ${message}`, fix ?? []].flat().join(' ') });
  }
  const more = warnings.length - MOST_LISTED;
  if (more <= 0) return;
  report({
    type: 'warning',
    message: `The project has ${more} more ${more === 1 ? 'warning' : 'warnings'}. Run "toolkit check" to list ${more === 1 ? 'it' : 'them'}.`,
  });
}
