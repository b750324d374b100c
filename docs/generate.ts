/**
 * The findings of runtime/source/findings → the page about them, docs/diagnostics.md, and the tables of all codes. Run
 * by `npm run generate`; a test says when that was forgotten.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DIAGNOSTICS_PAGE } from '../runtime/contract/diagnostic.ts';
import { CHAPTERS, type Finding } from '../runtime/source/findings/Finding.ts';

const ROOT = path.join(import.meta.dirname, '..');
const FOLDER = 'runtime/source/findings';

/** What a file named by a code exports, and the comment above it. */
interface Described {
  finding: Finding;
  exported: string;
  /** In Markdown. */
  doc: string;
}

/** Generated file, relative to the repository's root → what must be in it. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const codes = globSync('*-*.ts', { cwd: path.join(ROOT, FOLDER) }).toSorted();
  const all = await Promise.all(codes.map(described));
  return new Map([
    [`docs/${DIAGNOSTICS_PAGE}`, page(all)],
    [`${FOLDER}/allFindings.ts`, list(all)],
    ['runtime/contract/diagnosticSeverity.ts', severities(all)],
  ]);
}

async function described(file: string): Promise<Described> {
  const place = path.join(ROOT, FOLDER, file);
  const found = /\/\*\*\n((?: \*.*\n)+?) \*\/\nexport const (\w+): Finding = /.exec(
    readFileSync(place, 'utf8'),
  );
  if (!found) throw new Error(`${file} exports no Finding with a doc comment above it.`);
  const [, doc = '', exported = ''] = found;
  const module = (await import(place)) as Record<string, Finding>;
  const finding = module[exported]!;
  if (`${finding.code}.ts` !== file) throw new Error(`${file} is not named by its code, ${finding.code}.`);
  return { finding, exported, doc: unwrapped(doc.replaceAll(/^ \* ?/gm, '')) };
}

/** Joins the lines of each paragraph, since the page has one line for each; blocks of code stay as they are. */
function unwrapped(doc: string): string {
  return doc
    .split(/^(```\w+\n[^]*?^```)$/m)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(/(?<=.)\n(?=.)/g, ' ')))
    .join('');
}

function page(all: readonly Described[]): string {
  const chapters = CHAPTERS.map((chapter) => {
    const sections = all.filter(({ finding }) => finding.chapter === chapter).map(section);
    return `## ${chapter}\n\n${sections.join('\n')}`;
  });
  return `${INTRODUCTION}\n${chapters.join('\n')}`;
}

function section({ finding: { code, severity }, doc }: Described): string {
  return `### \`${code}\`\n\n${severity[0]!.toUpperCase()}${severity.slice(1)}. ${doc}`;
}

function list(all: readonly Described[]): string {
  const lines = all.map(({ finding, exported }) => `export { ${exported} } from './${finding.code}.ts';\n`);
  return `/** Every finding. Written by \`npm run generate\`. */\n${lines.join('')}`;
}

function severities(all: readonly Described[]): string {
  const lines = all.map(({ finding: { code, severity } }) => `  '${code}': '${severity}',\n`);
  return `/** Every code and its severity. Written by \`npm run generate\` from ${FOLDER}. */
export const DIAGNOSTIC_SEVERITY = {
${lines.join('')}} as const satisfies Record<string, 'error' | 'warning' | 'hint'>;
`;
}

const INTRODUCTION = `# Diagnostics

What \`toolkit check\`, \`build\`, \`deploy\` and the editor find, by code. Errors stop a build; warnings are shown and the build
goes on; hints are shown in the editor and by \`check\`. Nothing of your code is run to find them.

\`# toolkit: ignore[code]\` at the end of the line where a finding starts silences a warning or a hint there. Errors cannot be
silenced.

Each section has an example that the finding is in, and the same example repaired. Where an example has several files, a
line such as \`# shared.py\` begins one.
`;

if (import.meta.main) {
  for (const [file, text] of await generatedFiles()) writeFileSync(path.join(ROOT, file), text);
}
