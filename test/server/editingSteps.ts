/**
 * What happens in a workspace on a day of editing: files, their texts, and the steps of those who change
 * them.
 */
import * as fc from 'fast-check';

const SDK = 'from toolkit_sdk import Endpoint\n';

/** Texts that files have at one time or another. None depends on the file's location. */
export const TEXTS = [
  '',
  'x = 1\n',
  `${SDK}\n@Endpoint(name="one")\ndef one():\n    """One."""\n    return 1\n`,
  `${SDK}\n@Endpoint(name="one", workers=(3, 1))\ndef one(x):\n    from sub.nested import w\n    return w\n`,
  `${SDK}import numpy\n\n@Endpoint(name="two", workers=(0, 29))\ndef two():\n    return numpy.e\n`,
  `${SDK}\napi = Endpoint(name="lb", cpu="cpu3c-1-2")\n\n@api.get("/a")\ndef a(): ...\n`,
  `${SDK}api = Endpoint(name="lb")\n`,
  'from lb import api\n\n@api.get("/a")\ndef other():\n    """Other."""\n',
  'from lb import api\n\n@api.post("/b/{x}")\nasync def b(y):\n    from worker import one\n    return await one(y)\n',
  `from .lb import api\nimport worker\n\n@api.get("/c")\ndef c(:\n`,
  `from toolkit_sdk import Endpoint as E\n`,
  'from alias import E\n\n@E(name="aliased", gpu="any", cpu="cpu3c-1-2")\ndef f():\n    return 1\n',
  `from worker import one\n${SDK}\n@Endpoint(name="three")\ndef three():\n    return one()\n`,
  `from sub.ignored import y\n${SDK}@Endpoint(name="é𝒳")\r\ndef four():\r\n    return y\r\n`,
] as const;

export const TABLES = [
  '',
  '[project]\nname = "shop"\n',
  '[tool.toolkit]\napp = "shop"\nquota = 2\n',
  '[tool.toolkit]\napp = "inner"\n[[tool.toolkit.endpoints]]\nname = "one"\ncommand = ["./server"]\n',
  '[project]\nname = "x"\ndependencies = ["numpy"]\n[tool.toolkit]\n',
  '[tool.toolkit\nquota = [\n',
] as const;

export const IGNORES = ['', 'ignored.py\n', 'sub/\n', 'pkg\n!pkg/lb.py\n', 'worker.py\n'] as const;

/** Paths of Python files, below the folder that contains everything. */
export const PLACES = [
  ['one/worker.py', 'one/lb.py', 'one/routes.py', 'one/alias.py', 'one/user.py'],
  ['one/sub/ignored.py', 'one/sub/nested/w.py', 'one/sub/nested/lb.py', 'one/sub/nested/deep/d.py'],
  ['one/pkg/__init__.py', 'one/pkg/lb.py', 'one/pkg/é 1@%.py', 'one/json.py'],
  ['two/worker.py', 'two/lb.py'],
].flat();
/** Nobody reports changes on disk outside the workspace's folders. */
export const LOOSE = ['loose/worker.py', 'loose/lb.py'];
export const PROJECTS = ['one', 'one', 'one/sub/nested', 'one/sub', 'two'];
export const FOLDERS = ['one/sub', 'one/sub/nested', 'one/pkg', 'one/sub/nested/deep', 'two'];
export const PIECES = [
  '(',
  '"',
  '"""',
  '@',
  '\n',
  '\n    ',
  'Endpoint',
  '#',
  ' ',
  'x',
  '😀',
  '\r',
  '# toolkit: ignore[worker-quota]',
];

/** Chooses one of the current items. */
const choice = fc.nat(1_000_000);
const stepKinds = [
  [
    'open',
    'open',
    'open',
    'type',
    'type',
    'type',
    'cursors',
    'whole',
    'undo',
    'save',
    'save',
    'saveAll',
    'close',
  ],
  ['closeAgain', 'changeUnopened', 'write', 'write', 'write', 'delete', 'rename', 'renameOpen', 'branch'],
  ['pyproject', 'pyproject', 'typePyproject', 'ignore', 'nothing', 'addFolder', 'removeFolder', 'quiet'],
  ['moveFolder', 'deleteFolder', 'quiet', 'wait'],
].flat();
export const step = fc.record({ kind: fc.constantFrom(...stepKinds), a: choice, b: choice, c: choice });
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
