/** Error codes, findings and the SDK's errors → docs/messages.md. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ERROR_CODES, type ErrorCode } from '../../runtime/contract/errors.ts';
import { type FoundTexts, findingTexts } from './findingTexts.ts';
import { type MadeError, typescriptErrors } from './typescriptErrors.ts';

const PLACEHOLDER = /\{[^{}"]*\}/g;

interface PythonError {
  file: string;
  type: string;
  /** The error code of a response to a request; null for an exception. */
  code: string | null;
  texts: string[];
}

/** The page, generated from the sources below the repository's root. */
export function messagesPage(root: string): string {
  const python = pythonErrors(root);
  const errors = [...typescriptErrors(root), ...python.flatMap(response)].filter(hasText);
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => codeSection(code, errors));
  const passedOn = errors.filter(({ codes }) => codes.length === 0);
  return [
    INTRODUCTION,
    codeTable(),
    '## Messages by code\n',
    ...codes,
    '### Other errors, passed on\n\nThese have the code of the error that caused them.\n',
    `${listOf(passedOn)}\n`,
    `## Findings\n\n[diagnostics.md](diagnostics.md) explains each one. A heading with hyphens is\nthe code of a finding. The other headings are source files whose texts several findings use.\n`,
    ...findingTexts(root).map(findingSection),
    '## Python\n\nErrors that `toolkit_sdk` raises in scripts and workers, and errors of a node agent.\n',
    ...pythonSections(python.filter(({ code: one }) => one === null)),
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
  const list = listOf(errors.filter(({ codes }) => codes.includes(code)));
  return `### ${code}\n\nExit code ${exit}, HTTP status ${status}.\n\n${list}\n`;
}

/** The messages, each once, with the programs that print it. Messages of the same errors share their hints. */
export function listOf(errors: readonly MadeError[]): string {
  const items = Map.groupBy(
    errors.flatMap((error) =>
      (error.messages.length > 0 ? error.messages : ['']).map((text) => ({ text, error })),
    ),
    ({ text }) => wordsOf(text),
  );
  const made = [...items.values()].map((all) => ({
    text: all[0]!.text,
    errors: all.map(({ error }) => error),
  }));
  const lines = made.flatMap(({ text, errors: all }, at) => {
    const programs = [...new Set(all.map(({ program }) => program))];
    const shown = programs.includes(null) ? '' : ` (${programs.join(', ')})`;
    const hints = hintsOf(all).map((hint) => `  - Hint: ${code(hint)}`);
    const next = made[at + 1]?.errors ?? [];
    const isShared = next.includes(all[0]!) && isDeepStrictEqual(hintsOf(next), hintsOf(all));
    return [
      `- ${text === '' ? '(the message of the error that caused it)' : code(text)}${shown}`,
      ...(isShared ? [] : hints),
    ];
  });
  return lines.join('\n');
}

/** Messages that differ only in the names of their values are equal, unless they have fewer than two words. */
function wordsOf(message: string): string {
  const words = message.replaceAll(PLACEHOLDER, '{}');
  return /\p{L}.* .*\p{L}/u.test(words) ? words : message;
}

function hintsOf(errors: readonly MadeError[]): string[] {
  return [...new Set(errors.flatMap(({ hints }) => hints))];
}

function hasText({ messages, hints }: MadeError): boolean {
  return messages.length + hints.length > 0;
}

/** The error of a worker's response as an error of a program. */
function response({ file, code: one, texts: [message, ...hints] }: PythonError): MadeError[] {
  return one === null ? [] : [{ file, program: 'worker', codes: [one], messages: [message!], hints }];
}

function findingSection({ file, messages, fixes }: FoundTexts): string {
  const lines = [
    ...messages.map((text) => `- ${code(text)}`),
    ...fixes.map((text) => `- Fix: ${code(text)}`),
  ];
  return `### ${path.basename(file, '.ts')}\n\n${lines.join('\n')}\n`;
}

function pythonErrors(root: string): PythonError[] {
  const script = path.join(root, 'docs/messages/python_errors.py');
  const folder = path.join(root, 'runtime/python/toolkit_sdk');
  return JSON.parse(execFileSync('python3', [script, folder], { encoding: 'utf8' })) as PythonError[];
}

function pythonSections(errors: readonly PythonError[]): string[] {
  const files = Map.groupBy(errors, ({ file }) => file);
  return [...files].map(([file, all]) => {
    const items = all.map(({ type, texts: [first, ...others] }) =>
      [`- ${type}: ${code(first!)}`, ...others.map((text) => `  - Hint: ${code(text)}`)].join('\n'),
    );
    return `### ${file}\n\n${[...new Set(items)].join('\n')}\n`;
  });
}

/** Markdown code with enough backticks for the text. Line ends are shown as ⏎. */
function code(text: string): string {
  const line = text.replaceAll('\n', '⏎');
  const ticks = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return ticks.length > 1 ? `${ticks} ${line} ${ticks}` : `\`${line}\``;
}

const INTRODUCTION = `# Messages and error codes

The error codes with their exit code, their HTTP status if they are sent over HTTP, and most of their messages and hints. A hint
says how to fix the error. Text in braces stands for a value that is filled in. The program that prints a message follows it in
parentheses. A message without parentheses is printed by more than one program. \`no workers available\` and \`not allowed: …\` are
part of the protocol: clients compare how they begin. \`npm run generate\` generates this list from the sources.

A command prints the message and the hint on standard error; with \`--json\` it prints
\`{"error": {"code", "message", "hint"}}\` on standard output. The platform and \`toolkit dev\` respond with
\`{"error", "code", "hint"}\`, where \`error\` is the message. The exit codes:

- 1: the command failed. Your project, input or account needs a change, or the network, the disk or the platform failed.
- 2: the command was used incorrectly.
- 70: a bug in the toolkit.
- 130: interrupted.
`;
