/** Entries of dist/ that run the programs from their sources, so that the coverage of a test's processes has their places. */
import { readPages, readTemplates } from '../../esbuild.ts';

const PROGRAMS = {
  cli: 'runtime/cli/main.ts',
  server: 'server/main.ts',
  platform: 'runtime/platform/main.ts',
};

/** Repository path → text. What the build fills in for the bundle is set by each entry. */
export function sourcePrograms(): Record<string, string> {
  const filledIn = `
process.env.TOOLKIT_READER_ID = 'sources';
globalThis.TEMPLATES = ${JSON.stringify(readTemplates())};
globalThis.PAGES = ${JSON.stringify(readPages())};
`;
  return Object.fromEntries(
    Object.entries(PROGRAMS).map(([name, file]) => [
      `dist/${name}.js`,
      `${filledIn}await import('../${file}');\n`,
    ]),
  );
}
