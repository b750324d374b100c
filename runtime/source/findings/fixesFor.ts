/** A finding → all of its fixes, and a file's findings → one fix that applies all safe fixes. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { type Fix, type Fixer, fixOf } from '../fixes/Fix.ts';
import { SourceText } from '../fixes/SourceText.ts';
import { silenceFinding } from '../fixes/silence.ts';
import type { TextEdit } from '../fixes/TextEdit.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { touches } from '../syntax/range.ts';
import * as allFindings from './allFindings.ts';
import type { Finding } from './Finding.ts';

const BY_CODE = new Map(Object.values(allFindings).map((one): [string, Finding] => [one.code, one]));

/** The fixes of one finding, the best first; silencing it is always last. */
export function fixesFor(project: ProjectView, found: Diagnostic): Fix[] {
  return [...repairs(project, found), ...made(project, found, [silenceFinding])];
}

/**
 * One fix that applies all safe fixes of a file; null when there are none. If two overlap, only the first is
 * applied.
 */
export function fixAll(project: ProjectView, file: string): Fix | null {
  const findings = project.diagnosticsOf(file);
  const together = Map.groupBy(findings, ({ code }) => BY_CODE.get(code)!.fixTogether);
  const fixes = [...together].flatMap(([fix, found]) => {
    const places = found.map(({ range }) => range);
    return fix?.(project, file, places) ?? found.flatMap((one) => repairs(project, one));
  });
  const edits = new Map<string, TextEdit[]>();
  for (const fix of fixes) {
    if (!fix.safe || overlaps(edits, fix)) continue;
    for (const [changed, added] of fix.edits) edits.set(changed, [...(edits.get(changed) ?? []), ...added]);
  }
  if (edits.size === 0) return null;
  return { title: 'Apply all safe fixes', edits, safe: true, preferred: false };
}

function repairs(project: ProjectView, found: Diagnostic): Fix[] {
  return made(project, found, BY_CODE.get(found.code)!.fixes ?? []);
}

function made(project: ProjectView, found: Diagnostic, fixers: readonly Fixer[]): Fix[] {
  const source = SourceText.of(project, found.file);
  if (!source) return [];
  const request = { project, index: project.index, source, found };
  return fixers.flatMap((fixer) => [...fixer(request)].map((text) => fixOf(found.file, text)));
}
/**
 * Whether two edits touch the same characters or insert at the same position, where their order would matter.
 */
function overlaps(made: ReadonlyMap<string, readonly TextEdit[]>, fix: Fix): boolean {
  return [...fix.edits].some(([file, edits]) =>
    edits.some(({ range }) => made.get(file)?.some((other) => touches(range, other.range))),
  );
}
