/** Findings link to their section in the page of findings that is installed with the server. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DIAGNOSTIC_SEVERITY } from '../../runtime/contract/diagnosticSeverity.ts';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const FILES = {
  'a.py': 'from toolkit_sdk import Endpoint\n@Endpoint(cpu="5c-4-8")\ndef a():\n    """A."""\n',
  'pyproject.toml': '[project\n',
};

it('links every code to its heading on the page, if the client shows links', async () => {
  const root = writeProject(FILES);
  const client = await LanguageClient.start({
    folders: [root],
    capabilities: { textDocument: { publishDiagnostics: { codeDescriptionSupport: true } } },
  });
  const [found] = client.diagnosticsOf(uriOf(root, 'a.py'));
  const href = new URL(found!.codeDescription!.href);
  assert.equal(href.hash, '#invalid-cpu');
  const headings = [...readFileSync(fileURLToPath(href), 'utf8').matchAll(/^### `([\w-]+)`$/gm)];
  assert.deepEqual(headings.map(([, code]) => code).toSorted(), Object.keys(DIAGNOSTIC_SEVERITY).toSorted());
  const [fault] = client.diagnosticsOf(uriOf(root, 'pyproject.toml'));
  assert.deepEqual([fault?.code, fault?.codeDescription], ['PROJECT_CONFIG', undefined]);
  await client.stop();
});

it('links no code for a client that shows no links', async () => {
  const root = writeProject(FILES);
  const client = await LanguageClient.start({ folders: [root], capabilities: {} });
  assert.equal(client.diagnosticsOf(uriOf(root, 'a.py'))[0]!.codeDescription, undefined);
  await client.stop();
});
