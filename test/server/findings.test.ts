/**
 * The fixtures of every rule over stdio, by the real server: for files that nobody has opened, for open ones, and for
 * texts that are typed in. What is published is what `check` reports, with the same ranges, texts and places.
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

/** No Python of this machine says which packages there are. */
const NO_PYTHON = { PATH: '', VIRTUAL_ENV: '', TOOLKIT_PYTHON: '' };

/** Into how many parts a text is cut that is typed in. */
const PARTS = 3;

/** One server for all, whose workspace's folders come and go. */
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

/** What is done with each file that an editor can show, and what follows from it. */
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

/** To the end of an empty file the text is added part after part, wherever the cuts fall. */
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

/** What an editor shows is a text, whatever bytes are on disk. */
function whenOpen({ files, findings }: Fixture): Fixture['findings'] {
  return findings.filter(({ file, code }) => code !== 'unreadable-file' || 'link' in files[file]!);
}

/** What stays when every text is taken away: what no editor shows. */
function whenEmpty({ files, findings }: Fixture): Fixture['findings'] {
  return findings.filter(({ file }) => 'link' in files[file]!);
}

/** All that is published below a folder. */
function foundIn(client: LanguageClient, root: string): Diagnostic[] {
  const placeOf = (uri: string) => path.relative(root, fileURLToPath(uri)).replaceAll(path.sep, '/');
  return [...client.published.values()].flatMap(({ uri, diagnostics }) => {
    const file = placeOf(uri);
    return file.startsWith('..') ? [] : diagnostics.map((published) => findingOf(file, published, placeOf));
  });
}

/** The text that is published is the message, and the remedy in a line of its own. */
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
