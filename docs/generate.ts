/**
 * The sources → the reference pages in docs/, and the tables of all findings. `npm run generate` runs it. With
 * `--check`, as in `npm run check`, it lists the files that are not up to date.
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
import { limitsPage } from './reference/limitsPage.ts';

const ROOT = path.join(import.meta.dirname, '..');
const FOLDER = 'runtime/source/findings';

/** The export of a file named after a code, and the comment above it. */
interface Described {
  finding: Finding;
  exported: string;
  /** In Markdown. */
  doc: string;
}

/** Generated file, relative to the repository's root → its content. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const codes = globSync('*-*.ts', { cwd: path.join(ROOT, FOLDER) }).toSorted();
  const all = await Promise.all(codes.map(described));
  return new Map([
    [`docs/${DIAGNOSTICS_PAGE}`, page(all)],
    ['docs/messages.md', messagesPage(ROOT)],
    ['docs/endpoint.md', endpointPage()],
    ['docs/environment-variables.md', environmentVariablesPage()],
    ['docs/http-api.md', httpApiPage(ROOT)],
    ['docs/limits.md', limitsPage(ROOT)],
    ['docs/commands.md', withFlags(readFileSync(path.join(ROOT, 'docs/commands.md'), 'utf8'))],
    [`${FOLDER}/allFindings.ts`, list(all)],
    ['runtime/contract/diagnosticSeverity.ts', severities(all)],
  ]);
}

/** The page of commands, mostly written by hand, with its section of all flags replaced. */
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
  if (`${finding.code}.ts` !== file) throw new Error(`${file} is not named after its code, ${finding.code}.`);
  return { finding, exported, doc: unwrapped(doc.replaceAll(/^ \* ?/gm, '')) };
}

/** Joins the lines of each paragraph and list item, because the page has one line for each. Code blocks are unchanged. */
function unwrapped(doc: string): string {
  return doc
    .split(/^(```\w+\n[^]*?^```)$/m)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(/(?<=.)\n(?!- ) *(?=.)/g, ' ')))
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

The findings of \`toolkit check\`, \`build\`, \`deploy\` and the editor, by code. Errors stop a build. Warnings are shown, and the
build continues. Hints are shown only in the editor and by \`check\`. One hint stops a build: \`dynamic-value\` is an error in \`build\`
and \`deploy\`. Your code is never run to find them.

To silence a warning or a hint, put \`# toolkit: ignore[code]\` at the end of the line where the finding starts. Errors cannot
be silenced.

Each section has an example with the finding, and a version without it. In an example with several files, a line such
as \`# shared.py\` begins each file.
`;

if (import.meta.main) {
  const files = [...(await generatedFiles())].map(([file, text]) => [path.join(ROOT, file), text] as const);
  const outdated = files.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  if (!process.argv.includes('--check')) {
    for (const [file, text] of outdated) writeFileSync(file, text);
  } else if (outdated.length > 0) {
    const names = outdated.map(([file]) => path.relative(ROOT, file)).join(', ');
    console.error(`Not up to date: ${names}. Run "npm run generate".`);
    process.exitCode = 1;
  }
}
