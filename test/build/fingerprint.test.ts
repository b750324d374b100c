/** Which edits change which endpoints, and which modules get a stub. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listArchive, makeProject, queueWorker, readArchived, WORKER_WHEELS } from './projects.ts';

const TRAIN = `from toolkit_sdk import Endpoint

RATE = 3


@Endpoint(name="train", cpu="cpu3c-1-2")
def train(text: str) -> str:
    """Trains."""
    return text
`;

/** A project whose endpoint "caller" runs the import `statement` in its body or above it. */
function caller(statement: string, inBody: boolean, uses = 'train(text)'): string {
  return `from toolkit_sdk import Endpoint
${inBody ? '' : `${statement}\n`}

@Endpoint(name="caller", cpu="cpu3c-1-2")
def caller(text: str) -> str:
    """Calls."""
    ${inBody ? statement : 'pass'}
    return ${uses}
`;
}

interface Case {
  title: string;
  files: Record<string, string>;
  edit: Record<string, string>;
  changed: string[];
}

const TWO = {
  'one.py': `import helper\n${queueWorker('one')}`,
  'two.py': queueWorker('two'),
  'helper.py': 'import deep\nx = 1\n',
  'deep.py': 'y = 1\n',
};

const CASES: Case[] = [
  { title: 'nothing', files: TWO, edit: {}, changed: [] },
  {
    title: 'its own module',
    files: TWO,
    edit: { 'two.py': queueWorker('two', '', 'return text * 2') },
    changed: ['two'],
  },
  {
    title: 'a module it imports',
    files: TWO,
    edit: { 'helper.py': 'import deep\nx = 2\n' },
    changed: ['one'],
  },
  { title: 'a module that its import imports', files: TWO, edit: { 'deep.py': 'y = 2\n' }, changed: ['one'] },
  {
    title: 'a module that nobody imports',
    files: { ...TWO, 'alone.py': 'a = 1\n' },
    edit: { 'alone.py': 'a = 2\n' },
    changed: [],
  },
  {
    title: 'a data file',
    files: { ...TWO, 'words.txt': 'a' },
    edit: { 'words.txt': 'b' },
    changed: ['one', 'two'],
  },
  {
    title: 'any module, for an endpoint that imports at run time',
    files: {
      ...TWO,
      'one.py': `import importlib\nm = importlib.import_module("alone")\n${queueWorker('one')}`,
      'alone.py': 'a = 1\n',
    },
    edit: { 'alone.py': 'a = 2\n' },
    changed: ['one'],
  },
  {
    title: 'the package of an imported module',
    files: {
      ...TWO,
      'one.py': `import pkg.part\n${queueWorker('one')}`,
      'pkg/__init__.py': '',
      'pkg/part.py': '',
    },
    edit: { 'pkg/__init__.py': 'z = 1\n' },
    changed: ['one'],
  },
  {
    title: 'a module imported from a package without __init__',
    files: { ...TWO, 'one.py': `from pkg import part\n${queueWorker('one')}`, 'pkg/part.py': '' },
    edit: { 'pkg/part.py': 'z = 1\n' },
    changed: ['one'],
  },
  {
    title: 'the body of another endpoint, called by a function that is imported in a body',
    files: { 'train.py': TRAIN, 'caller.py': caller('from train import train', true) },
    edit: { 'train.py': TRAIN.replace('return text', 'return text + "!"') },
    changed: ['train'],
  },
  {
    title: "a peer's signature",
    files: { 'train.py': TRAIN, 'caller.py': caller('from train import train', true) },
    edit: { 'train.py': TRAIN.replace('text: str)', 'text: str, more: int = 1)') },
    changed: ['caller', 'train'],
  },
  {
    title: "another endpoint's module, of which a constant is imported",
    files: { 'train.py': TRAIN, 'caller.py': caller('from train import train, RATE', true) },
    edit: { 'train.py': TRAIN.replace('RATE = 3', 'RATE = 4') },
    changed: ['caller', 'train'],
  },
  {
    title: "another endpoint's module, imported whole for its function",
    files: { 'train.py': TRAIN, 'caller.py': caller('import train', true, 'train.train(text)') },
    edit: { 'train.py': TRAIN.replace('RATE = 3', 'RATE = 4') },
    changed: ['train'],
  },
  {
    title: "another endpoint's module, imported whole for a constant",
    files: { 'train.py': TRAIN, 'caller.py': caller('import train', true, 'train.RATE') },
    edit: { 'train.py': TRAIN.replace('RATE = 3', 'RATE = 4') },
    changed: ['caller', 'train'],
  },
  {
    title: "another endpoint's module, imported at the top",
    files: { 'train.py': TRAIN, 'caller.py': caller('from train import train', false) },
    edit: { 'train.py': TRAIN.replace('RATE = 3', 'RATE = 4') },
    changed: ['caller', 'train'],
  },
  {
    title: 'only a declared setting',
    files: TWO,
    edit: { 'two.py': queueWorker('two', 'workers=(0, 1)') },
    changed: ['two'],
  },
];

for (const { title, files, edit, changed } of CASES) {
  test(`${changed.length === 0 ? 'no endpoint changes' : `${changed.join(' and ')} change`} for a change of ${title}`, async () => {
    const project = makeProject(files, WORKER_WHEELS);
    await project.build();
    const before = project.manifest();
    project.write(edit);
    await project.build();
    const after = project.manifest();
    const different = Object.keys(after).filter(
      (name) => after[name]!.fingerprint.code !== before[name]!.fingerprint.code,
    );
    assert.deepEqual(different, changed);
    for (const name of Object.keys(after)) {
      assert.equal(after[name]!.fingerprint.dependencies, before[name]!.fingerprint.dependencies);
    }
  });
}

test('a new dependency changes the dependencies of every endpoint, but the code only of its own endpoint', async () => {
  const project = makeProject(TWO, [{ name: 'demo', files: { 'demo.py': '' } }]);
  await project.build();
  const before = project.manifest();
  project.write({ 'requirements.txt': 'demo\n' });
  await project.build();
  const after = project.manifest();
  for (const name of ['one', 'two']) {
    assert.notEqual(after[name]!.fingerprint.dependencies, before[name]!.fingerprint.dependencies);
    assert.equal(after[name]!.fingerprint.code, before[name]!.fingerprint.code);
  }
});

test("modules of called endpoints get stubs also inside packages; an endpoint's own module never does", async () => {
  const project = makeProject(
    {
      'models/train.py': TRAIN,
      'models/__init__.py': '',
      'caller.py': caller('from models import train as t', true, 't.train(text)'),
      'pair.py': `${queueWorker('left')}\n\n${queueWorker('right', '', 'return left(text)')}`,
    },
    WORKER_WHEELS,
  );
  const built = await project.build();
  const stubs = listArchive(built.artifact).filter((name) => name.startsWith('_toolkit/stubs/'));
  assert.deepEqual(stubs, ['_toolkit/stubs/models/train.py']);
  assert.match(
    readArchived(built.artifact, '_toolkit/handlers/caller.py'),
    /STUBS = \{"models\.train": "_toolkit\/stubs\/models\/train\.py"\}/,
  );
  assert.match(readArchived(built.artifact, '_toolkit/handlers/right.py'), /STUBS = \{\}/);
  assert.match(readArchived(built.artifact, 'requirements.txt'), /^httpx==/m);
});
