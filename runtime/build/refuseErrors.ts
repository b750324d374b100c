/** Stops a build or a deploy early: on errors, without endpoints, and on values that are known only when the code runs. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { ToolkitError } from '../contract/errors.ts';
import { IGNORED_FOLDERS } from '../contract/ignorePatterns.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import type { ProjectReading } from '../source/reading.ts';

/** `toolkit check` lists all of them. */
export const MOST_LISTED = 10;

/** Errors in the project's code. The message lists them; a terminal can also show their source lines. */
export class ProjectErrors extends ToolkitError {
  readonly diagnostics: Diagnostic[];
  readonly textOf: ProjectReading['textOf'];

  constructor(diagnostics: Diagnostic[], { textOf }: ProjectReading) {
    super('PROJECT_HAS_ERRORS', describe(diagnostics), {
      hint: diagnostics[0]?.fix ?? 'Run "toolkit check".',
    });
    this.diagnostics = diagnostics;
    this.textOf = textOf;
  }
}

/**
 * Throws unless the reading can be built.
 *
 * @throws ProjectErrors for diagnostics.
 * @throws ToolkitError PROJECT_HAS_ERRORS for silenced ones, NO_ENDPOINTS if nothing is declared.
 */
export function refuseErrors(reading: ProjectReading): void {
  // dynamic-value is only a hint in the editor, but such an endpoint cannot be built.
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
  // A comment can silence the hint, but the endpoint still cannot be built.
  for (const endpoint of reading.endpoints) {
    if (endpoint.dynamic.length === 0 && endpoint.name !== null) continue;
    const fields = endpoint.dynamic.length > 0 ? endpoint.dynamic : ['name'];
    const values = fields.length > 1 ? 'values' : 'value';
    const called = endpoint.name === null ? 'this endpoint' : `the endpoint "${endpoint.name}"`;
    const place = `${endpoint.file}:${endpoint.line}`;
    throw new ToolkitError(
      'PROJECT_HAS_ERRORS',
      `${place}: Cannot determine the ${values} of ${fields.join(', ')} of ${called} without running the code.`,
      { hint: 'Use a literal, or a module-level constant that is assigned once.' },
    );
  }
}

/** A single error as one line; several as a list. */
function describe(errors: Diagnostic[]): string {
  const said = errors.map(({ file, range, message }) => {
    return `${file}:${range.start.line + 1}:${range.start.character + 1}: ${message}`;
  });
  if (said.length === 1) return said[0]!;
  const more = said.length > MOST_LISTED ? [`and ${said.length - MOST_LISTED} more`] : [];
  const listed = [...said.slice(0, MOST_LISTED), ...more].join('\n  ');
  return `The project has ${said.length} errors:\n  ${listed}`;
}
