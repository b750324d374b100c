/** Which interpreter's packages count in each project, according to the client's settings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientCapabilities } from 'vscode-languageserver';
import type { EditorSettings } from '../../runtime/contract/editorMessages.ts';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const WORKER = `from toolkit_sdk import Endpoint
@Endpoint(name="a", dependencies=["odd-name"])
def a():
    """Runs."""
    import needed_by_odd
`;
const ENV = { TOOLKIT_PYTHON: '', VIRTUAL_ENV: '', PATH: '/nonexistent' };
const PUSHES: ClientCapabilities = { workspace: { workspaceFolders: true } };

/** A virtual environment in which `odd-name` provides the module that the worker imports. */
function environment(): string {
  const info = 'lib/python3.11/site-packages/odd_name-1.0.dist-info';
  return writeProject({
    'pyvenv.cfg': 'version = 3.11.7\n',
    [`${info}/METADATA`]: 'Name: odd-name\nVersion: 1.0\nRequires-Dist: needed-by-odd>=1\n\n',
    [`${info}/RECORD`]: 'odd_name/__init__.py,,\n',
  });
}

/** For each root, whether the import is reported as missing. */
function wanting({ published }: LanguageClient, ...roots: string[]): boolean[] {
  return roots.map((root) => (published.get(uriOf(root, 'a.py'))?.diagnostics ?? []).length > 0);
}

describe("the interpreter of a client's settings", () => {
  const python = environment();
  const project = () => writeProject({ 'a.py': WORKER });
  const change = async (client: LanguageClient, toolkit: unknown) => {
    await client.notify('workspace/didChangeConfiguration', { settings: { toolkit } });
    await client.settled();
  };

  it('is requested with each root as the scope, again after each change, if the client responds', async () => {
    const [one, two] = [project(), project()];
    let settings: Record<string, EditorSettings | null> = { [uriOf(one)]: { python } };
    const client = await LanguageClient.start({
      folders: [one, two],
      env: ENV,
      settingsOf: (scope) => settings[scope] ?? null,
    });
    assert.deepEqual(wanting(client, one, two), [false, true]);
    settings = { [uriOf(two)]: { python } };
    await change(client, null);
    assert.deepEqual(wanting(client, one, two), [true, false]);
    await client.stop();
  });

  it('is what the client sends when it cannot be asked: for all projects, or for one', async () => {
    const [one, two] = [project(), project()];
    const client = await LanguageClient.start({ folders: [one, two], env: ENV, capabilities: PUSHES });
    assert.deepEqual(wanting(client, one, two), [true, true]);
    await change(client, { python });
    assert.deepEqual(wanting(client, one, two), [false, false]);
    await change(client, { projects: { [uriOf(two)]: { python } } });
    assert.deepEqual(wanting(client, one, two), [true, false]);
    for (const malformed of ['python', { python: 3 }, { projects: { [uriOf(two)]: null } }]) {
      await change(client, malformed);
      assert.deepEqual(wanting(client, one, two), [true, true]);
    }
    await client.stop();
  });

  it('is that of the initialization options when the settings name none', async () => {
    const one = project();
    const client = await LanguageClient.start({
      folders: [one],
      env: ENV,
      capabilities: PUSHES,
      options: { python },
    });
    assert.deepEqual(wanting(client, one), [false]);
    await change(client, { python: '/nonexistent/python' });
    assert.deepEqual(wanting(client, one), [true]);
    await change(client, {});
    assert.deepEqual(wanting(client, one), [false]);
    await client.stop();
  });
});
