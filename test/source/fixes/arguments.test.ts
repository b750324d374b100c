import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';
import { describeFixes, type FixCase, offered, repaired } from './checkFix.ts';

const SDK = 'from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup';

/** One decorator before and after. */
function call(
  code: DiagnosticCode,
  shows: string,
  title: string,
  [before, after]: readonly [string, string],
  more: Pick<FixCase, 'changes' | 'with'> = {},
): FixCase {
  const file = (text: string) => ({ 'a.py': `${SDK}\n# ünïcode 🎉\n@Endpoint(${text})\ndef a(): ...\n` });
  return { shows, code, title, before: file(before), after: file(after), ...more };
}

/** The keys of one table before and after. */
function table(
  code: DiagnosticCode,
  shows: string,
  title: string,
  [before, after]: readonly [string, string],
  more: Pick<FixCase, 'changes' | 'with'> = {},
): FixCase {
  const file = (text: string) => ({
    'pyproject.toml': `[project]\nname = "p"\n\n[[tool.toolkit.endpoints]]\n${text}`,
  });
  return { shows, code, title, before: file(before), after: file(after), ...more };
}

const workers = { changes: ['workers'] };
const hardware = { changes: ['hardware'] };

describeFixes('valid-workers', [
  call('invalid-workers', 'swaps', 'Write workers (1, 3)', ['workers=(3, 1)', 'workers=(1, 3)'], workers),
  call(
    'invalid-workers',
    'swaps a list',
    'Write workers [1, 3]',
    ['workers=[3, 1]', 'workers=[1, 3]'],
    workers,
  ),
  call(
    'invalid-workers',
    'swaps over lines',
    'Write workers (1, 3)',
    ['"🎉", workers=(\n    3,\n    1,\n)', '"🎉", workers=(1, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'lifts what is below 0',
    'Write workers (0, 3)',
    ['workers=(-1, 3)', 'workers=(0, 3)'],
    workers,
  ),
  call('invalid-workers', 'reads a text', 'Write workers (0, 3)', ['workers="3"', 'workers=(0, 3)'], workers),
  call(
    'invalid-workers',
    'reads fractions that are whole',
    'Write workers (0, 3)',
    ['workers=(0.0, 3.0)', 'workers=(0, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'orders a set',
    'Write workers (1, 3)',
    ['workers={3, 1}', 'workers=(1, 3)'],
    workers,
  ),
  call(
    'invalid-workers',
    'takes None away',
    'Remove workers',
    ['name="a", workers=None', 'name="a"'],
    workers,
  ),
  table(
    'invalid-workers',
    'swaps in TOML',
    'Write workers [1, 3]',
    [
      'name = "b"\ncommand = ["./b"]\nworkers = [3, 1] # many\n',
      'name = "b"\ncommand = ["./b"]\nworkers = [1, 3] # many\n',
    ],
    workers,
  ),
]);

describeFixes('nearest-gpu', [
  call(
    'unknown-gpu',
    'writes the nearest member',
    'Write gpu=GpuGroup.ADA_24',
    ['gpu=GpuGroup.ADA_42', 'gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  call(
    'unknown-gpu',
    'writes any',
    'Write gpu=GpuGroup.ANY',
    ['gpu=GpuGroup.ADA_42', 'gpu=GpuGroup.ANY'],
    hardware,
  ),
  call(
    'unknown-gpu',
    'writes a member for an item',
    'Write gpu=GpuGroup.ADA_24',
    ['gpu=GpuGroup["ADA_42"]', 'gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  {
    shows: 'imports the other enumeration',
    code: 'unknown-gpu',
    title: 'Write gpu=GpuType.NVIDIA_L4',
    before: {
      'a.py':
        'from toolkit_sdk import (\n    Endpoint as E,\n    GpuGroup,\n)\n@E(gpu=GpuGroup.NVIDIA_L4)\ndef a(): ...\n',
    },
    after: {
      'a.py':
        'from toolkit_sdk import (\n    GpuType, Endpoint as E,\n    GpuGroup,\n)\n@E(gpu=GpuType.NVIDIA_L4)\ndef a(): ...\n',
    },
    changes: ['hardware'],
  },
  {
    shows: 'writes by the alias of the file',
    code: 'unknown-gpu',
    title: 'Write gpu=G.ADA_24',
    before: {
      'a.py': 'from toolkit_sdk import Endpoint, GpuGroup as G\n@Endpoint(gpu=G.ADA_42)\ndef a(): ...\n',
    },
    after: {
      'a.py': 'from toolkit_sdk import Endpoint, GpuGroup as G\n@Endpoint(gpu=G.ADA_24)\ndef a(): ...\n',
    },
    changes: ['hardware'],
  },
  table(
    'unknown-gpu',
    'writes in TOML',
    'Write gpu = "ADA_24"',
    [
      'name = "b"\ncommand = ["./b"]\ngpu = \'ADA_42\'\n',
      'name = "b"\ncommand = ["./b"]\ngpu = \'ADA_24\'\n',
    ],
    hardware,
  ),
]);

describeFixes('nearest-keyword', [
  call(
    'unknown-keyword',
    'writes the nearest',
    'Write workers instead of wokers',
    ['wokers=(0, 1)', 'workers=(0, 1)'],
    workers,
  ),
  call('unknown-keyword', 'removes', 'Remove region', [
    'name="a", region="eu", cpu="cpu5c-4-8"',
    'name="a", cpu="cpu5c-4-8"',
  ]),
  call('unknown-keyword', 'removes with its line', 'Remove region', [
    '\n    name="a",\n    region="eu",  # near\n    cpu="cpu5c-4-8",\n',
    '\n    name="a",\n    cpu="cpu5c-4-8",\n',
  ]),
  table(
    'unknown-keyword',
    'writes in TOML',
    'Write workers instead of wokers',
    ['name = "b"\nwokers = 1\ncommand = ["./b"]\n', 'name = "b"\nworkers = 1\ncommand = ["./b"]\n'],
    workers,
  ),
  table('unknown-keyword', 'removes in TOML', 'Remove region', [
    'name = "b"\nregion = "eu" # near\ncommand = ["./b"]\n',
    'name = "b"\ncommand = ["./b"]\n',
  ]),
]);

describeFixes('one-hardware', [
  call(
    'gpu-and-cpu',
    'removes cpu',
    'Remove cpu',
    ['gpu=GpuGroup.ANY, cpu="cpu5c-4-8"', 'gpu=GpuGroup.ANY'],
    hardware,
  ),
  call(
    'gpu-and-cpu',
    'removes gpu',
    'Remove gpu',
    ['gpu=GpuGroup.ANY, cpu="cpu5c-4-8"', 'cpu="cpu5c-4-8"'],
    hardware,
  ),
  call(
    'gpu-and-cpu',
    'removes of several lines',
    'Remove cpu',
    ['\n    gpu=GpuGroup.ANY,\n    cpu="cpu5c-4-8"\n', '\n    gpu=GpuGroup.ANY,\n'],
    hardware,
  ),
  table(
    'gpu-and-cpu',
    'removes in TOML',
    'Remove gpu',
    [
      'name = "b"\ngpu = "ANY"\ncpu = "cpu5c-4-8"\ncommand = ["./b"]\n',
      'name = "b"\ncpu = "cpu5c-4-8"\ncommand = ["./b"]\n',
    ],
    hardware,
  ),
]);

describeFixes('valid-argument', [
  call('invalid-argument', 'reads a number', 'Write 60', ['idle_timeout="60"', 'idle_timeout=60'], {
    changes: ['idleTimeout'],
  }),
  call('invalid-argument', 'reads a fraction that is whole', 'Write 2', ['gpu_count=2.0', 'gpu_count=2'], {
    changes: ['gpuCount'],
  }),
  call(
    'invalid-argument',
    'lists one dependency',
    'Write ["idna>=3,<4"]',
    ['dependencies="idna>=3,<4"', 'dependencies=["idna>=3,<4"]'],
    { changes: ['dependencies'] },
  ),
  call(
    'invalid-argument',
    'lists a set',
    'Write [\'idna\', "x"]',
    ['dependencies={\'idna\', "x"}', 'dependencies=[\'idna\', "x"]'],
    { changes: ['dependencies'] },
  ),
  call(
    'invalid-argument',
    'writes the member that a text names',
    'Write gpu=GpuGroup.ADA_24',
    ['gpu="ADA_24"', 'gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  call('invalid-argument', 'takes an empty image away', 'Remove image', ['name="a", image=""', 'name="a"']),
  call(
    'invalid-argument',
    'writes a number as a text in env',
    'Write "1"',
    ['env={"A": 1, "B": "b"}', 'env={"A": "1", "B": "b"}'],
    { changes: ['env'] },
  ),
  call(
    'invalid-argument',
    'writes a keyword',
    'Write gpu= before it',
    ['"a", GpuGroup.ADA_24', '"a", gpu=GpuGroup.ADA_24'],
    hardware,
  ),
  call(
    'invalid-argument',
    'writes workers before a pair',
    'Write workers= before it',
    ['"a", (0, 1)', '"a", workers=(0, 1)'],
    workers,
  ),
  table(
    'invalid-argument',
    'lists the words of a command',
    'Write ["./b", "-v"]',
    ['name = "b"\ncommand = "./b  -v"\n', 'name = "b"\ncommand = ["./b", "-v"]\n'],
    { changes: ['command'] },
  ),
  table(
    'invalid-argument',
    'writes the kind that is meant',
    'Write "load-balanced"',
    [
      'name = "b"\nkind = "load_balanced"\ncommand = ["./b"]\n',
      'name = "b"\nkind = "load-balanced"\ncommand = ["./b"]\n',
    ],
    { changes: ['kind'] },
  ),
  {
    shows: 'begins an endpoint with a heading of its own',
    code: 'invalid-argument',
    title: 'Write [[tool.toolkit.endpoints]]',
    before: { 'pyproject.toml': '[tool.toolkit.endpoints]\nname = "b"\ncommand = ["./b"]\n' },
    after: { 'pyproject.toml': '[[tool.toolkit.endpoints]]\nname = "b"\ncommand = ["./b"]\n' },
    changes: ['kind'],
  },
]);

describe('valid-argument leaves alone', () => {
  const cases = [
    'idle_timeout="a minute"',
    'idle_timeout=-1',
    'dependencies="idna requests"',
    'gpu="TPU"',
    'name=3',
    'env={"A": True}',
  ];
  for (const written of cases) {
    it(written, async () => {
      const text = `${SDK}\n@Endpoint(${written})\ndef a(): ...\n`;
      assert.deepEqual(await offered({ 'a.py': text }, 'invalid-argument'), []);
    });
  }
});

describeFixes('remove-dependency', [
  ...[
    ['the only one', '["torch"]', '[]'],
    ['the first', '["torch", "idna"]', '["idna"]'],
    ['the last', '["idna", "torch"]', '["idna"]'],
    ['the last before a comma', '["idna", "torch",]', '["idna",]'],
    ['of a pair', '("idna", "torch")', '("idna",)'],
    ['of a pair, the first', '("torch", "idna")', '("idna",)'],
    [
      'of a line of its own, with its comment',
      '[\n    "idna",  # x\n    "torch",  # y\n]',
      '[\n    "idna",  # x\n]',
    ],
    ['of the last line without a comma', '[\n    "idna",  # x\n    "torch"]', '[\n    "idna",  # x\n    ]'],
  ].map(([shows, before, after]) =>
    call(
      'provided-by-image',
      shows!,
      'Remove "torch" from dependencies',
      [`dependencies=${before}`, `dependencies=${after}`],
      { changes: ['dependencies'] },
    ),
  ),
  table(
    'provided-by-image',
    'in TOML',
    'Remove "torch" from dependencies',
    [
      'name = "b"\ncommand = ["./b"]\ndependencies = [\n  "torch", # y\n  "idna",\n]\n',
      'name = "b"\ncommand = ["./b"]\ndependencies = [\n  "idna",\n]\n',
    ],
    { changes: ['dependencies'] },
  ),
]);

describeFixes('lower-workers', [
  {
    shows: 'lowers a maximum to what is left',
    code: 'worker-quota',
    title: 'Lower the maximum workers to 20, which the quota of 30 leaves',
    before: {
      'a.py': `${SDK}\n@Endpoint(workers=(25, 30))\ndef a(): ...\n@Endpoint(workers=(0, 10))\ndef b(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\n@Endpoint(workers=(20, 20))\ndef a(): ...\n@Endpoint(workers=(0, 10))\ndef b(): ...\n`,
    },
    changes: ['workers'],
  },
  {
    shows: 'gives a maximum where the default is too much',
    code: 'worker-quota',
    title: 'Lower the maximum workers to 1, which the quota of 2 leaves',
    before: {
      'pyproject.toml': '[tool.toolkit]\nquota = 2\n',
      'a.py': `${SDK}\n@Endpoint(\n    name="a",\n    cpu="cpu5c-4-8",  # small\n)\ndef a(): ...\n@Endpoint(workers=1)\ndef b(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\n@Endpoint(\n    name="a",\n    cpu="cpu5c-4-8",  # small\n    workers=(0, 1),\n)\ndef a(): ...\n@Endpoint(workers=1)\ndef b(): ...\n`,
    },
    changes: ['workers'],
  },
  {
    shows: 'gives a maximum in TOML',
    code: 'worker-quota',
    title: 'Lower the maximum workers to 2, which the quota of 2 leaves',
    before: {
      'pyproject.toml':
        '[tool.toolkit]\nquota = 2\n[[tool.toolkit.endpoints]]\nname = "b"\ncommand = ["./b"]\n\n[tool.toolkit.endpoints.env]\nA = "1"\n',
    },
    after: {
      'pyproject.toml':
        '[tool.toolkit]\nquota = 2\n[[tool.toolkit.endpoints]]\nname = "b"\ncommand = ["./b"]\nworkers = [0, 2]\n\n[tool.toolkit.endpoints.env]\nA = "1"\n',
    },
    changes: ['workers'],
  },
]);

describe('lower-workers where the others have used up the quota', () => {
  it('offers to lower all of them', async () => {
    const text = `${SDK}\n@Endpoint(workers=5)\ndef a(): ...\n@Endpoint(workers=30)\ndef b(): ...\n`;
    assert.deepEqual(await offered({ 'a.py': text }, 'worker-quota'), [
      'Lower all maximum workers to at most 25, which fits the quota of 30',
    ]);
  });
});

describeFixes('lower-workers of all', [
  {
    shows: 'lowers the largest, in every file, and leaves the small ones',
    code: 'worker-quota',
    title: 'Lower all maximum workers to at most 4, which fits the quota of 10',
    before: {
      'pyproject.toml':
        '[tool.toolkit]\nquota = 10\n[[tool.toolkit.endpoints]]\nname = "t"\ncommand = ["./t"]\nworkers = [5, 9]\n',
      'a.py': `${SDK}\n@Endpoint(workers=[0, 20])\ndef a(): ...\n@Endpoint(workers=(1, 2))\ndef b(): ...\n`,
    },
    after: {
      'pyproject.toml':
        '[tool.toolkit]\nquota = 10\n[[tool.toolkit.endpoints]]\nname = "t"\ncommand = ["./t"]\nworkers = [4, 4]\n',
      'a.py': `${SDK}\n@Endpoint(workers=[0, 4])\ndef a(): ...\n@Endpoint(workers=(1, 2))\ndef b(): ...\n`,
    },
    changes: ['workers'],
  },
]);

describeFixes('call-endpoint', [
  {
    shows: 'calls a bare decorator',
    code: 'unsupported-form',
    title: 'Write @Endpoint()',
    before: { 'a.py': `${SDK}\n@Endpoint\ndef a(): ...\n` },
    after: { 'a.py': `${SDK}\n@Endpoint()\ndef a(): ...\n` },
    changes: ['kind'],
    with: ['missing-description'],
  },
  {
    shows: 'writes the verb that is meant',
    code: 'unsupported-form',
    title: 'Write get instead of gett',
    before: { 'a.py': `${SDK}\napi = Endpoint(name="a")\n@api.gett("/a")\ndef a(): ...\n` },
    after: { 'a.py': `${SDK}\napi = Endpoint(name="a")\n@api.get("/a")\ndef a(): ...\n` },
    changes: ['kind'],
    with: ['missing-description', 'no-routes'],
  },
]);

describeFixes('nearest-instance', [
  {
    shows: 'writes the instance that is meant',
    code: 'not-an-endpoint',
    title: 'Write @api.get(...)',
    before: {
      'a.py': `${SDK}\napi = Endpoint(name="a")\n@api.get("/b")\ndef b(): ...\n@apii.get("/a")\ndef a(): ...\n`,
    },
    after: {
      'a.py': `${SDK}\napi = Endpoint(name="a")\n@api.get("/b")\ndef b(): ...\n@api.get("/a")\ndef a(): ...\n`,
    },
    changes: ['kind'],
    with: ['missing-description'],
  },
]);

describe('all safe repairs', () => {
  it('are made at once, and the others are not', async () => {
    const before = `import cv2\n${SDK}\n@Endpoint(name="a b", workers=(3, 1), cpu="5c-4-8", dependencies=["opencv-python"])\ndef a(): return cv2\napi = Endpoint(name="api")\n@api.get("b")\ndef b(): return cv2\n@Endpoint\ndef c(): ...\n`;
    const { result } = await repaired({ 'a.py': before }, 'a.py');
    assert.equal(
      result['a.py'],
      `${SDK}\n@Endpoint(name="a b", workers=(1, 3), cpu="cpu5c-4-8", dependencies=["opencv-python"])\ndef a():\n    import cv2\n    return cv2\napi = Endpoint(name="api")\n@api.get("/b")\ndef b():\n    import cv2\n    return cv2\n@Endpoint()\ndef c(): ...\n`,
    );
  });
});
