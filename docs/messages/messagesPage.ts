/** Error codes, findings and the SDK's errors → docs/messages.md. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { ERROR_CODES, type ErrorCode } from '../../runtime/contract/errors.ts';
import { type FoundTexts, findingTexts } from './findingTexts.ts';
import { type MadeError, typescriptErrors } from './typescriptErrors.ts';

interface PythonError {
  file: string;
  type: string;
  texts: string[];
}

/** The page, generated from the sources below the repository's root. */
export function messagesPage(root: string): string {
  const errors = typescriptErrors(root);
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => codeSection(code, errors));
  const passedOn = errors.filter(({ codes }) => codes.length === 0);
  return [
    INTRODUCTION,
    codeTable(),
    '## Messages by code\n',
    ...codes,
    '### Other errors, passed on\n\nThese have the code of the error that caused them.\n',
    `${passedOn.flatMap(linesOf).join('\n')}\n`,
    '## Findings\n\n[diagnostics.md](diagnostics.md) explains each one. Texts in a shared file belong to several findings.\n',
    ...findingTexts(root).map(findingSection),
    '## Python\n\nErrors that `toolkit_sdk` raises in scripts and workers, and errors of a node agent.\n',
    ...pythonSections(root),
  ].join('\n');
}

function codeTable(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { exit, status }]) => `| [\`${code}\`](#${code.toLowerCase()}) | ${exit} | ${status} |`,
  );
  return `| Code | Exit code | HTTP status |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function codeSection(code: ErrorCode, errors: MadeError[]): string {
  const { exit, status } = ERROR_CODES[code];
  const lines = errors.filter(({ codes }) => codes.includes(code)).map((one) => linesOf(one).join('\n'));
  const list = lines.length > 0 ? [...new Set(lines)].join('\n') : 'Its message is generated at run time.';
  return `### ${code}\n\nExit code ${exit}, HTTP status ${status}.\n\n${list}\n`;
}

function linesOf({ messages, hints }: MadeError): string[] {
  return [...messages.map((text) => `- ${code(text)}`), ...hints.map((text) => `  - Hint: ${code(text)}`)];
}

function findingSection({ file, messages, repairs }: FoundTexts): string {
  const lines = [
    ...messages.map((text) => `- ${code(text)}`),
    ...repairs.map((text) => `- Fix: ${code(text)}`),
  ];
  return `### ${path.basename(file, '.ts')}\n\n${lines.join('\n')}\n`;
}

function pythonSections(root: string): string[] {
  const script = path.join(root, 'docs/messages/python_errors.py');
  const folder = path.join(root, 'runtime/python/toolkit_sdk');
  const errors = JSON.parse(execFileSync('python3', [script, folder], { encoding: 'utf8' })) as PythonError[];
  const files = Map.groupBy(errors, ({ file }) => file);
  return [...files].map(([file, all]) => {
    const lines = all.flatMap(({ type, texts: [first, ...others] }) => [
      `- ${type}: ${code(first!)}`,
      ...others.map((text) => `  - ${code(text)}`),
    ]);
    return `### ${file}\n\n${lines.join('\n')}\n`;
  });
}

/** Markdown code with enough backticks for the text. Line ends are shown as ⏎. */
function code(text: string): string {
  const line = text.replaceAll('\n', '⏎');
  const ticks = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return ticks.length > 1 ? `${ticks} ${line} ${ticks}` : `\`${line}\``;
}

const INTRODUCTION = `# Messages and error codes

Every error code with its exit code, its HTTP status if it is sent over HTTP, and its messages and hints. A hint says how to fix
the error. Text in braces stands for a value that is filled in. \`npm run generate\` generates this list from the sources.

A command prints the message and the hint on standard error; with \`--json\` it prints
\`{"error": {"code", "message", "hint"}}\` on standard output. The platform and \`toolkit dev\` respond with
\`{"error", "code", "hint"}\`, where \`error\` is the message. Exit codes: 1 your project, input or account needs a change ·
2 usage · 70 a bug in the toolkit · 130 interrupted.
`;
