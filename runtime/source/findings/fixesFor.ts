/** A finding → all of its fixes, and a file's findings → the change that makes all of the safe ones. */
import type { Diagnostic, DiagnosticCode } from '../../contract/diagnostic.ts';
import { addDependency } from '../fixes/add-dependency.ts';
import { addDescription } from '../fixes/add-description.ts';
import { callEndpoint } from '../fixes/call-endpoint.ts';
import type { Fix, Fixer, TextEdit } from '../fixes/Fix.ts';
import { fitName } from '../fixes/fit-name.ts';
import { lowerWorkers } from '../fixes/lower-workers.ts';
import { matchRouteParameter } from '../fixes/match-route-parameter.ts';
import { moveImport, moveImports } from '../fixes/move-import.ts';
import { nearestGpu } from '../fixes/nearest-gpu.ts';
import { nearestInstance } from '../fixes/nearest-instance.ts';
import { nearestKeyword } from '../fixes/nearest-keyword.ts';
import { normaliseCpu } from '../fixes/normalise-cpu.ts';
import { oneHardware } from '../fixes/one-hardware.ts';
import { otherPath } from '../fixes/other-path.ts';
import { ownDeclaration } from '../fixes/own-declaration.ts';
import { removeDependency } from '../fixes/remove-dependency.ts';
import { silenceFinding } from '../fixes/silence.ts';
import { toLoadBalanced } from '../fixes/to-load-balanced.ts';
import { uniqueName } from '../fixes/unique-name.ts';
import { validArgument } from '../fixes/valid-argument.ts';
import { validPath } from '../fixes/valid-path.ts';
import { validWorkers } from '../fixes/valid-workers.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';

/** Only what is probably meant is offered: the others have none. */
const FIXERS: Partial<Record<DiagnosticCode, readonly Fixer[]>> = {
  'duplicate-queue-name': [uniqueName, ownDeclaration, toLoadBalanced],
  'duplicate-route': [otherPath],
  'gpu-and-cpu': [oneHardware],
  'invalid-argument': [validArgument],
  'invalid-cpu': [normaliseCpu],
  'invalid-name': [fitName],
  'invalid-path': [validPath],
  'invalid-workers': [validWorkers],
  'missing-description': [addDescription],
  'missing-name': [fitName],
  'name-in-both-forms': [uniqueName, ownDeclaration, toLoadBalanced],
  'not-an-endpoint': [nearestInstance],
  'provided-by-image': [removeDependency],
  'reserved-name': [fitName],
  'reserved-path': [otherPath],
  'route-parameter-mismatch': [matchRouteParameter],
  'top-level-import': [moveImport],
  'top-level-peer-import': [moveImport],
  'undeclared-dependency': [addDependency],
  'unknown-cpu': [normaliseCpu],
  'unknown-gpu': [nearestGpu],
  'unknown-keyword': [nearestKeyword],
  'unsupported-form': [callEndpoint],
  'worker-quota': [lowerWorkers],
};

/** Codes with fixes that may be safe, beside those of imports. */
const SAFE_CODES: ReadonlySet<DiagnosticCode> = new Set([
  'invalid-cpu',
  'invalid-path',
  'invalid-workers',
  'unsupported-form',
]);
const IMPORT_CODES: ReadonlySet<DiagnosticCode> = new Set(['top-level-import', 'top-level-peer-import']);

/** The fixes of one finding, the best first; silencing it is always the last. */
export function fixesFor(project: ProjectView, found: Diagnostic): Fix[] {
  return [...repairs(project, found), ...silenceFinding(project, found)];
}

/** One fix that makes all the safe ones of a file; null when there is none. Of two that overlap, the first is made. */
export function fixAll(project: ProjectView, file: string): Fix | null {
  const findings = project.diagnosticsOf(file);
  const imports = findings.filter(({ code }) => IMPORT_CODES.has(code)).map(({ range }) => range);
  // Imports may share a statement or a body, so they move together.
  const fixes = [
    ...(imports.length > 0 ? moveImports(project, file, imports) : []),
    ...findings.filter(({ code }) => SAFE_CODES.has(code)).flatMap((found) => repairs(project, found)),
  ];
  const edits = new Map<string, TextEdit[]>();
  for (const fix of fixes) {
    if (!fix.safe || overlaps(edits, fix)) continue;
    for (const [changed, added] of fix.edits) edits.set(changed, [...(edits.get(changed) ?? []), ...added]);
  }
  if (edits.size === 0) return null;
  return { title: 'Make all safe repairs', edits, safe: true, preferred: false };
}

function repairs(project: ProjectView, found: Diagnostic): Fix[] {
  return (FIXERS[found.code] ?? []).flatMap((fixer) => fixer(project, found));
}

/** Whether two edits touch the same characters, or add at the same place, where their order would matter. */
function overlaps(made: ReadonlyMap<string, readonly TextEdit[]>, fix: Fix): boolean {
  return [...fix.edits].some(([file, edits]) =>
    edits.some(({ range }) =>
      (made.get(file) ?? []).some(
        (other) => isBefore(range.start, other.range.end) && isBefore(other.range.start, range.end),
      ),
    ),
  );
}

function isBefore(a: TextEdit['range']['start'], b: TextEdit['range']['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}
