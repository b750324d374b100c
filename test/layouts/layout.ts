/** A layout as data: a project's files, and what each declaration in it becomes. */

export interface Layout {
  title: string;
  /** `=== path` begins a file; a record where exact bytes matter. */
  files: string | Record<string, string | Uint8Array>;
  /** Links to create: path → target. */
  links?: Record<string, string>;
  /** Every declaration: name, or `?` if it is known only at run time → `kind file:line`. */
  endpoints: Record<string, string>;
  /** Findings as printed, `file:line:column code`, except those for functions without a docstring. */
  findings?: string[];
  /**
   * What the deployed endpoints return: a queue-based one by its name for an empty input, a route as `name
   * METHOD /path`. A layout without answers is refused.
   */
  answers?: Record<string, unknown>;
  /** Whether each test run deploys it, not only the long one. */
  sample?: true;
}

/** The files of a layout, path → content. */
export function filesOf({ files }: Layout): Record<string, string | Uint8Array> {
  if (typeof files !== 'string') return files;
  const sections = files.split(/^=== /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end).trim(), section.slice(end + 1)];
    }),
  );
}
