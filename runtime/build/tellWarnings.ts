/** What `toolkit check` would warn of, told by a build as well: most of it fails no sooner than on a worker. */
import type { ReportProgress } from '../contract/progress.ts';
import type { ProjectReading } from '../source/reading.ts';

/** More are told by `toolkit check`. */
const MOST_TOLD = 10;

/** Reports the warnings of a reading with their places, and counts those beyond the first few. */
export function tellWarnings({ diagnostics }: ProjectReading, report: ReportProgress): void {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
  for (const { file, range, message, fix } of warnings.slice(0, MOST_TOLD)) {
    const place = `${file}:${range.start.line + 1}:${range.start.character + 1}`;
    report({ type: 'warning', message: [`${place}: ${message}`, fix ?? []].flat().join(' ') });
  }
  const more = warnings.length - MOST_TOLD;
  if (more <= 0) return;
  report({ type: 'warning', message: `The project has ${more} more of these. Run: toolkit check` });
}
