/**
 * The fixtures of every rule over stdio, by the real server: for closed files, open ones, and texts that are
 * typed. What is published equals what `check` reports, with the same ranges, texts and locations.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DiagnosticSeverity, type Diagnostic as Published } from 'vscode-languageserver';
import type { Diagnostic, DiagnosticCode } from '../../runtime/contract/diagnostic.ts';
import { compareFindings, makeFolder, writeFixture } from '../source/checkProject.ts';
import { FIXTURES } from '../source/findings/all.ts';
import { type Fixture, parseFixture } from '../source/fixture.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const SEVERITIES: Partial<Record<DiagnosticSeverity, Diagnostic['severity']>> = {
  [DiagnosticSeverity.Error]: 'error',
  [DiagnosticSeverity.Warning]: 'warning',
  [DiagnosticSeverity.Hint]: 'hint',
};

/** Packages installed on this machine are ignored. */
const NO_PYTHON = { PATH: '', VIRTUAL_ENV: '', TOOLKIT_PYTHON: '' };

/** The number of parts in which a text is typed. */
const PARTS = 3;

/** One server for all tests, whose workspace folders come and go. */
describe('findings over stdio', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [], env: NO_PYTHON });
  });
  after(() => client.stop());

  for (const [code, { fires, silent }] of Object.entries(FIXTURES)) {
    describe(code, () => {
      for (const [title, text] of [...fires, ...silent]) {
        it(title, async () => {
          const fixture = parseFixture(text);
          const root = writeFixture(fixture, makeFolder());
          await client.addFolder(root);
          compareFindings(foundIn(client, root), fixture.findings, code);
          const opened = whenOpen(fixture);
          await show(client, root, fixture, (uri, content) => client.open(uri, content));
          compareFindings(foundIn(client, root), opened, code);
          await show(client, root, fixture, (uri) => client.close(uri));
          await show(client, root, fixture, (uri) => client.open(uri, ''));
          compareFindings(foundIn(client, root), whenEmpty(fixture), code);
          await show(client, root, fixture, (uri, content) => typeIn(client, uri, content));
          compareFindings(foundIn(client, root), opened, code);
          await show(client, root, fixture, (uri) => client.close(uri));
          compareFindings(foundIn(client, root), fixture.findings, code);
          await client.removeFolder(root);
          assert.deepEqual(foundIn(client, root), []);
        });
      }
    });
  }
});

/** Steps for each file that an editor can show, and the effects of each. */
async function show(
  client: LanguageClient,
  root: string,
  { files }: Fixture,
  act: (uri: string, content: string) => Promise<void>,
): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    const isShown = 'text' in content && /\.(?:py|toml)$/.test(file);
    if (isShown) await act(uriOf(root, file), content.text);
  }
  await client.settled();
}

/** The text is appended part by part to an empty file, with arbitrary cuts. */
async function typeIn(client: LanguageClient, uri: string, content: string): Promise<void> {
  for (let part = 0; part < PARTS; part += 1) {
    const [from, to] = [part, part + 1].map((at) => Math.floor((content.length * at) / PARTS));
    const end = endOf(content.slice(0, from));
    await client.change(uri, { range: { start: end, end }, text: content.slice(from, to) });
  }
}

function endOf(text: string): { line: number; character: number } {
  const lines = text.split('\n');
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}

/** An editor shows text, whatever bytes are on disk. */
function whenOpen({ files, findings }: Fixture): Fixture['findings'] {
  return findings.filter(({ file, code }) => code !== 'unreadable-file' || 'link' in files[file]!);
}

/** What remains without the texts: files that no editor shows. */
function whenEmpty({ files, findings }: Fixture): Fixture['findings'] {
  return findings.filter(({ file }) => 'link' in files[file]!);
}

/** Everything published below a folder. */
function foundIn(client: LanguageClient, root: string): Diagnostic[] {
  const placeOf = (uri: string) => path.relative(root, fileURLToPath(uri)).replaceAll(path.sep, '/');
  return [...client.published.values()].flatMap(({ uri, diagnostics }) => {
    const file = placeOf(uri);
    return file.startsWith('..') ? [] : diagnostics.map((published) => findingOf(file, published, placeOf));
  });
}

/** The published text is the message, followed by the fix in a separate line. */
function findingOf(
  file: string,
  { code, severity, message, range, relatedInformation = [], source }: Published,
  placeOf: (uri: string) => string,
): Diagnostic {
  assert.equal(source, 'toolkit');
  assert.ok(typeof message === 'string');
  const [text, fix = null] = message.split('\n');
  return {
    file,
    code: code as DiagnosticCode,
    severity: SEVERITIES[severity!]!,
    message: text!,
    fix,
    range,
    related: relatedInformation.map(({ location, message }) => ({
      file: placeOf(location.uri),
      range: location.range,
      message,
    })),
  };
}
