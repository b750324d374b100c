/**
 * The sources → the reference pages of docs/, and the tables of all findings. Run by `npm run generate`; with `--check`,
 * which `npm run check` does, it names the files that are not up to date.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DIAGNOSTICS_PAGE } from '../runtime/contract/diagnostic.ts';
import { CHAPTERS, type Finding } from '../runtime/source/findings/Finding.ts';
import { messagesPage } from './messages/messagesPage.ts';
import { commandFlags } from './reference/commandFlags.ts';
import { endpointPage } from './reference/endpointPage.ts';
import { environmentVariablesPage } from './reference/environmentVariables.ts';
import { httpApiPage } from './reference/httpApi.ts';

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
    ['docs/messages.md', messagesPage(ROOT)],
    ['docs/endpoint.md', endpointPage()],
    ['docs/environment-variables.md', environmentVariablesPage()],
    ['docs/http-api.md', httpApiPage(ROOT)],
    ['docs/commands.md', withFlags(readFileSync(path.join(ROOT, 'docs/commands.md'), 'utf8'))],
    [`${FOLDER}/allFindings.ts`, list(all)],
    ['runtime/contract/diagnosticSeverity.ts', severities(all)],
  ]);
}

/** The page of commands, most of which is written by hand, with all flags where they were. */
function withFlags(page: string): string {
  return page.replace(/(?<=^## All flags\n\n)[^]*/m, () => commandFlags());
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
  const files = [...(await generatedFiles())].map(([file, text]) => [path.join(ROOT, file), text] as const);
  const outdated = files.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  if (!process.argv.includes('--check')) {
    for (const [file, text] of outdated) writeFileSync(file, text);
  } else if (outdated.length > 0) {
    const names = outdated.map(([file]) => path.relative(ROOT, file)).join(', ');
    console.error(`Not up to date: ${names}. Run: npm run generate`);
    process.exitCode = 1;
  }
}
