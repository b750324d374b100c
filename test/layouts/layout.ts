/** A layout as data: a project's files, and what becomes of each declaration in it. */

export interface Layout {
  title: string;
  /** `=== path` begins a file; a record where bytes matter. */
  files: string | Record<string, string | Uint8Array>;
  /** Links to make: path → target. */
  links?: Record<string, string>;
  /** Every declaration: name, or `?` where only running the code could tell → `kind file:line`. */
  endpoints: Record<string, string>;
  /** Findings as printed, `file:line:column code`, but for functions without a docstring. */
  findings?: string[];
  /**
   * What the deployed endpoints answer: a queue-based one by its name to an empty input, a route as
   * `name METHOD /path`. A layout without answers is refused.
   */
  answers?: Record<string, unknown>;
  /** One of those that are deployed in each run of the tests, not only in the long one. */
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
