/** Stops a build or a deploy before any work: error diagnostics, nothing declared, values that only running could tell. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { ToolkitError } from '../contract/errors.ts';
import { IGNORED_FOLDERS } from '../contract/ignorePatterns.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import type { ProjectReading } from '../source/reading.ts';

/** More are told by `toolkit check`. */
export const MOST_LISTED = 10;

/** Mistakes in the project's code: the message lists them, and a terminal can show their source. */
export class ProjectErrors extends ToolkitError {
  readonly diagnostics: Diagnostic[];
  readonly textOf: ProjectReading['textOf'];

  constructor(diagnostics: Diagnostic[], { textOf }: ProjectReading) {
    super('PROJECT_HAS_ERRORS', describe(diagnostics), { hint: diagnostics[0]?.fix ?? 'Run: toolkit check' });
    this.diagnostics = diagnostics;
    this.textOf = textOf;
  }
}

/**
 * Passes a reading that can be built.
 *
 * @throws ProjectErrors for diagnostics, ToolkitError PROJECT_HAS_ERRORS for silenced ones, NO_ENDPOINTS with the advice of the interface.
 */
export function refuseErrors(reading: ProjectReading): void {
  // A value that only running could tell is a hint elsewhere; nothing can be built from it.
  const errors = reading.diagnostics.filter(
    ({ severity, code }) => severity === 'error' || code === 'dynamic-value',
  );
  if (errors.length > 0) throw new ProjectErrors(errors, reading);
  if (reading.endpoints.length === 0) {
    const ignored = IGNORED_FOLDERS.slice(0, 5).join(', ');
    throw new ToolkitError(
      'NO_ENDPOINTS',
      `No @Endpoint functions were found in ${reading.files} Python ${reading.files === 1 ? 'file' : 'files'} of ${reading.root}.`,
      {
        hint: `Check the decorator syntax (@Endpoint(name="…") from toolkit_sdk), and check that files are not excluded by .gitignore, ${PROJECT_FILES.ignore} or the built-in ignore patterns (${ignored}, …).`,
      },
    );
  }
  // A comment may have silenced the hint, and the endpoint cannot be built all the same.
  for (const endpoint of reading.endpoints) {
    if (endpoint.dynamic.length === 0 && endpoint.name !== null) continue;
    const fields = endpoint.dynamic.length > 0 ? endpoint.dynamic.join(', ') : 'name';
    const called = endpoint.name === null ? 'this endpoint' : `the endpoint "${endpoint.name}"`;
    const place = `${endpoint.file}:${endpoint.line}`;
    throw new ToolkitError(
      'PROJECT_HAS_ERRORS',
      `${place}: The value of ${fields} of ${called} is not known without running the code.`,
      {
        hint: 'Write it as a literal or as a module constant.',
      },
    );
  }
}

/** One mistake in one sentence; several as a list with their places. */
function describe(errors: Diagnostic[]): string {
  const said = errors.map(({ file, range, message }) => {
    return `${file}:${range.start.line + 1}:${range.start.character + 1}: ${message}`;
  });
  if (said.length === 1) return said[0]!;
  const more = said.length > MOST_LISTED ? [`and ${said.length - MOST_LISTED} more`] : [];
  return [`The project has ${said.length} errors:`, ...said.slice(0, MOST_LISTED), ...more].join('\n  ');
}
