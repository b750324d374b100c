import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readProject } from '../../runtime/source/readProject.ts';
import { countedFindings, writeProject } from './checkProject.ts';

const DECLARES = 'from toolkit_sdk import Endpoint\n@Endpoint()\ndef NAME(): ...\n';

/** Title, project, artifact files. Every Python file among them is read for declarations, and no other. */
const CASES: [title: string, files: Record<string, string>, shipped: string[]][] = [
  [
    'leaves out built-in folders, virtual environments and caches',
    {
      'a.py': '',
      'data/table.csv': '1',
      '.git/hooks/a.py': '',
      '.toolkit/a.py': '',
      'node_modules/a.py': '',
      'deep/__pycache__/a.py': '',
      'deep/site-packages/a.py': '',
      'my-env/pyvenv.cfg': '',
      'my-env/lib/a.py': '',
      'venv/a.py': '',
    },
    ['a.py', 'data/table.csv'],
  ],
  [
    'follows .gitignore and .toolkitignore at every level; the innermost wins',
    {
      '.gitignore': 'build/\n*.log\n/only_here.py\n!kept.log\n',
      '.toolkitignore': 'tests\n',
      'a.py': '',
      'only_here.py': '',
      'build/b.py': '',
      'x.log': '',
      'kept.log': '',
      'tests/test_a.py': '',
      'inner/.gitignore': '*.py\n!keep.py\n!y.log\n',
      'inner/only_here.py': '',
      'inner/keep.py': '',
      'inner/y.log': '',
      'inner/deep/b.py': '',
      'other/only_here.py': '',
    },
    ['a.py', 'inner/.gitignore', 'inner/keep.py', 'inner/y.log', 'kept.log', 'other/only_here.py'],
  ],
  [
    'never ships secrets, unless .toolkitignore names them with an exclamation mark',
    {
      '.toolkitignore': '!public.pem\n!.env.example\n',
      '.env': '',
      '.env.local': '',
      'prod.env': '',
      '.env.example': '',
      'my.pem': '',
      'my.p12': '',
      'my.pfx': '',
      '.pgpass': '',
      '.git-credentials': '',
      'SERVER.PEM': '',
      'public.pem': '',
      id_rsa: '',
      'id_card.py': '',
      'credentials-prod.json': '',
      '.aws/config': '',
      'pylock.toml': '',
      'folder/pylock.toml': '',
      '_toolkit/handlers/a.py': '',
      'a.pyc': '',
      'keys.txt': '',
    },
    ['.env.example', 'folder/pylock.toml', 'id_card.py', 'keys.txt', 'public.pem'],
  ],
  [
    'includes what .toolkitignore names with an exclamation mark, also below ignored folders',
    {
      '.gitignore': '*.log\n/made/\nmodels/\n/generated/\n!never.log\n',
      '.toolkitignore':
        '!/made/\n!kept.log\n!/models/small/\n!/generated/api.py\n!generated/v*/types.py\n!.venv/a.py\n',
      'made/a.py': '',
      'kept.log': '',
      'lost.log': '',
      'models/a.py': '',
      'models/small/b.py': '',
      'models/small/deep/table.csv': '',
      'models/small/key.pem': '',
      'generated/api.py': '',
      'generated/other.py': '',
      'generated/v1/types.py': '',
      'generated/v1/more.py': '',
      '.venv/a.py': '',
    },
    [
      'generated/api.py',
      'generated/v1/types.py',
      'kept.log',
      'made/a.py',
      'models/small/b.py',
      'models/small/deep/table.csv',
    ],
  ],
  [
    'skips nested projects, but not folders with any other pyproject.toml',
    {
      'pyproject.toml': '',
      'a.py': '',
      'plain/pyproject.toml': '[project]\nname = "plain"\n',
      'plain/b.py': '',
      'nested/pyproject.toml': '[project]\nname = "nested"\n[tool.toolkit]\n',
      'nested/c.py': '',
      'listed/pyproject.toml': '[[tool.toolkit.endpoints]]\nname = "x"\n',
      'listed/d.py': '',
      'dotted/pyproject.toml': '[tool]\ntoolkit.app = "x"\n',
      'dotted/e.py': '',
      'inline/pyproject.toml': 'tool = { toolkit = { app = "x" } }\n',
      'inline/f.py': '',
    },
    ['a.py', 'plain/b.py', 'plain/pyproject.toml', 'pyproject.toml'],
  ],
];

describe('discovery', () => {
  for (const [title, files, shipped] of CASES) {
    it(title, async () => {
      const named = Object.entries(files).map(([file, text], index) => [
        file,
        file.endsWith('.py') ? DECLARES.replace('NAME', `f${index}`) : text,
      ]);
      const reading = await readProject({ root: writeProject(Object.fromEntries(named)) });
      assert.deepEqual(await reading.shippedFiles(), shipped);
      const python = shipped.filter((file) => file.endsWith('.py'));
      assert.deepEqual(
        reading.endpoints.map(({ file }) => file),
        python,
      );
      assert.equal(reading.files, python.length);
      assert.deepEqual(countedFindings(reading), []);
    });
  }

  it('never packs an excluded file under the name of a link', async () => {
    const keys = writeProject({ id_rsa: '', '.aws/credentials': '', 'table.csv': '' });
    const root = writeProject({ '.env': '', '.ssh/config': '', '.toolkitignore': '!wanted' });
    for (const [link, target] of [
      ['settings.txt', '.env'],
      ['wanted', '.env'],
      ['connections', '.ssh'],
      ['host', '.ssh/config'],
      ['key', `${keys}/id_rsa`],
      ['cloud', `${keys}/.aws/credentials`],
      ['table.csv', `${keys}/table.csv`],
    ] as const) {
      symlinkSync(target, path.join(root, link));
    }
    assert.deepEqual(await (await readProject({ root })).shippedFiles(), ['table.csv', 'wanted']);
  });

  it('skips broken links to data, and reports one to a module', async () => {
    const root = writeProject({ 'a.py': DECLARES.replace('NAME', 'f') });
    symlinkSync('nothing', path.join(root, 'data'));
    symlinkSync('nothing.csv', path.join(root, 'table.csv'));
    symlinkSync('nothing.py', path.join(root, 'module.py'));
    const reading = await readProject({ root });
    assert.deepEqual(
      countedFindings(reading).map(({ file, code }) => `${file} ${code}`),
      ['module.py unreadable-file'],
    );
    assert.deepEqual(await reading.shippedFiles(), ['a.py']);
  });

  it('reads an ignored file that is named explicitly, and does not pack it', async () => {
    const old = DECLARES.replace('NAME', 'old').replace('()', '(workers=-1)');
    const root = writeProject({ '.gitignore': 'old/\n', 'a.py': '', 'old/b.py': old, 'old/c.py': old });
    const reading = await readProject({ root, named: ['old/b.py', 'old', 'none.py', 'a.py'] });
    assert.deepEqual(
      countedFindings(reading).map(({ file, code }) => `${file} ${code}`),
      ['old/b.py invalid-workers'],
    );
    assert.deepEqual(
      reading.endpoints.map(({ file }) => file),
      ['old/b.py'],
    );
    assert.equal(reading.files, 2);
    assert.deepEqual(await reading.shippedFiles(), ['a.py']);
  });

  it('stops when the signal is aborted', async () => {
    const root = writeProject({ 'a.py': '' });
    await assert.rejects(readProject({ root, signal: AbortSignal.abort() }), { code: 'INTERRUPTED' });
  });

  it('reports a root that is not a folder', async () => {
    const root = writeProject({ 'a.py': '' });
    await assert.rejects(readProject({ root: `${root}/none` }), { code: 'PROJECT_NOT_FOUND' });
    await assert.rejects(readProject({ root: `${root}/a.py` }), { code: 'PROJECT_NOT_FOUND' });
  });
});
