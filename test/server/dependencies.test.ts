/** Imports in an open file, compared with changing requirements in the project's other files. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const WORKER = `from toolkit_sdk import Endpoint
@Endpoint(name="a", dependencies=["odd-name"])
def a():
    """Runs."""
    import needed_by_odd
    import cv2
`;

const PACKAGES = '.venv/lib/python3.11/site-packages';

describe('undeclared dependencies in the editor', () => {
  let client: LanguageClient;
  let root: string;
  before(async () => {
    root = writeProject({ 'a.py': WORKER, 'pyproject.toml': '[project]\nname = "app"\n' });
    client = await LanguageClient.start({ folders: [root] });
    await client.open(uriOf(root, 'a.py'), WORKER);
  });
  after(() => client.stop());

  const lines = async () => {
    await client.settled();
    return client.diagnosticsOf(uriOf(root, 'a.py')).map(({ range }) => range.start.line);
  };
  const made = (file: string): ['made', string] => ['made', path.join(root, file)];

  it('are reported while nothing declares them', async () => {
    assert.deepEqual(await lines(), [4, 5]);
  });

  it('disappear when requirements.txt names them, and return when it is removed', async () => {
    writeProject({ 'requirements.txt': 'opencv-python-headless\n' }, root);
    await client.changedOnDisk(made('requirements.txt'));
    assert.deepEqual(await lines(), [4]);
    rmSync(path.join(root, 'requirements.txt'));
    await client.changedOnDisk(['deleted', path.join(root, 'requirements.txt')]);
    assert.deepEqual(await lines(), [4, 5]);
  });

  it('disappear when the text of an open pyproject.toml names them', async () => {
    const uri = uriOf(root, 'pyproject.toml');
    await client.open(uri, '[project]\nname = "app"\n');
    await client.change(uri, { text: '[project]\nname = "app"\ndependencies = ["opencv-python"]\n' });
    assert.deepEqual(await lines(), [4]);
    await client.close(uri);
    assert.deepEqual(await lines(), [4, 5]);
  });

  it('disappear when an installed package is known to require them', async () => {
    const info = `${PACKAGES}/odd_name-1.0.dist-info`;
    writeProject(
      {
        '.venv/pyvenv.cfg': 'version = 3.11.7\n',
        [`${info}/METADATA`]: 'Name: odd-name\nVersion: 1.0\nRequires-Dist: needed-by-odd>=1\n\n',
        [`${info}/RECORD`]: 'odd_name/__init__.py,,\n',
      },
      root,
    );
    await client.changedOnDisk(made('.venv'));
    assert.deepEqual(await lines(), [5]);
  });
});
