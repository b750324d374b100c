/**
 * Completion from the real server: what is offered in unfinished code, and the text after an offer is
 * accepted.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CompletionItem, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type AtCursor, atCursor, itemsOf } from './atCursor.ts';
import { LanguageClient } from './languageClient.ts';

interface Expected {
  /** All labels in their order. */
  labels?: string[];
  /** Labels that are among them, these first and in this order. */
  first?: string[];
  has?: string[];
  hasNot?: string[];
  /** Accepts an offer: its label → the file's text afterwards, or a part of it. */
  accept?: Record<string, string | RegExp>;
  /** Label → what is shown next to it. */
  details?: Record<string, RegExp>;
  /** The character that triggered the request. */
  trigger?: string;
}

const SDK = 'from toolkit_sdk import Endpoint';
const PEER = `=== pictures.py
${SDK}
@Endpoint(name="gpu_worker")
def draw(text: str):
    """Draw a picture."""
`;
const ROUTES = `=== lb.py
${SDK}
api = Endpoint(name="lb")
@api.get("/users/list")
def users(): ...
`;
const CPU = [
  'cpu5c-1-2',
  'cpu5c-2-4',
  'cpu5c-4-8',
  'cpu5c-8-16',
  'cpu3c-1-2',
  'cpu3c-2-4',
  'cpu3c-4-8',
  'cpu3c-8-16',
  'cpu3g-1-4',
  'cpu3g-2-8',
  'cpu3g-4-16',
  'cpu3g-8-32',
];

/** The project's own virtual environment with one package. */
const INSTALLED = `=== a.py
${SDK}
@Endpoint(dependencies=["made‸"])
def one(): ...
=== .venv/pyvenv.cfg
home = /usr/bin
version = 3.12.1
=== .venv/lib/python3.12/site-packages/made_up-1.2.3.dist-info/METADATA
Metadata-Version: 2.1
Name: made-up
Version: 1.2.3
Summary: Makes things up.
=== .venv/lib/python3.12/site-packages/made_up-1.2.3.dist-info/top_level.txt
made_up
`;

const CASES: [title: string, fixture: string, expected: Expected][] = [
  [
    'offers the missing arguments, in order, inside an unfinished call',
    `=== a.py
${SDK}
@Endpoint(name="one", workers=(0, 1), ‸
def one(): ...
`,
    {
      labels: [
        'gpu=',
        'cpu=',
        'idle_timeout=',
        'dependencies=',
        'env=',
        'image=',
        'gpu_count=',
        'execution_timeout=',
        'max_concurrency=',
      ],
      details: { 'idle_timeout=': /int.*Seconds without a job or request.*`60`/s },
      accept: { 'idle_timeout=': /workers=\(0, 1\), idle_timeout=\$\{1:300\}\ndef one/ },
    },
  ],
  [
    'offers the name of the function below inside the name',
    `=== a.py
${SDK}
@Endpoint(na‸)
class Model: ...
`,
    { first: ['name='], accept: { 'name=': /@Endpoint\(name="\$\{1:Model\}"\)\nclass/ } },
  ],
  [
    'considers arguments after the cursor too, and adds a comma before the next one',
    `=== a.py
${SDK}
api = Endpoint(
    name="x",
    wor‸
    cpu="cpu5c-4-8",
)
`,
    {
      has: ['workers='],
      hasNot: ['name=', 'cpu=', 'gpu='],
      accept: { 'workers=': /\n {4}workers=\(\$\{1:0\}, \$\{2:3\}\),\n {4}cpu="cpu5c-4-8",\n\)/ },
    },
  ],
  [
    'counts a positional name as given, under any alias of the package',
    `=== a.py
import toolkit_sdk as t
@t.Endpoint("one", ‸)
def one(): ...
`,
    { first: ['gpu='], hasNot: ['name='], accept: { 'gpu=': /gpu=\$\{1\|t\.GpuGroup\.ANY,/ } },
  ],
  [
    'offers GPUs with their cards and memory, and adds the missing import',
    `=== a.py
${SDK} as E, RemoteError
@E(gpu=‸)
def one(): ...
`,
    {
      first: ['GpuGroup.ANY', 'GpuGroup.ADA_24'],
      has: ['GpuType.NVIDIA_L4'],
      details: {
        'GpuGroup.AMPERE_24': /NVIDIA RTX A5000, NVIDIA L4, NVIDIA GeForce RTX 3090 · at least 24 GB/,
        'GpuType.NVIDIA_B200': /NVIDIA B200 · 180 GB/,
      },
      accept: {
        'GpuGroup.ADA_24': `from toolkit_sdk import Endpoint as E, GpuGroup, RemoteError
@E(gpu=GpuGroup.ADA_24)
def one(): ...
`,
      },
    },
  ],
  [
    'offers members after a dot when the enumeration is imported, under its alias',
    `=== a.py
from toolkit_sdk import CpuInstanceType as C, Endpoint
@Endpoint(cpu=C.‸)
def one(): ...
`,
    {
      has: ['CPU5C_4_8'],
      details: { CPU5C_4_8: /4 vCPU, 8 GB RAM/ },
      accept: { CPU5C_4_8: /cpu=C\.CPU5C_4_8\)/ },
    },
  ],
  [
    'offers members after a dot when the enumeration is not imported yet',
    `=== a.py
${SDK}
@Endpoint(gpu=GpuGroup.AD‸)
def one(): ...
`,
    {
      first: ['ANY'],
      accept: { ADA_24: /^from toolkit_sdk import Endpoint, GpuGroup\n@Endpoint\(gpu=GpuGroup\.ADA_24\)/ },
    },
  ],
  [
    'replaces the whole text of cpu, newer generations first',
    `=== a.py
${SDK}
@Endpoint(cpu="cp‸u3c-9-9")
def one(): ...
`,
    {
      labels: CPU,
      details: { 'cpu5c-4-8': /4 vCPU, 8 GB RAM/ },
      accept: { 'cpu5c-4-8': /@Endpoint\(cpu="cpu5c-4-8"\)\n/ },
    },
  ],
  [
    'closes an open string, and keeps the bracket after it',
    `=== a.py
${SDK}
@Endpoint(cpu='‸)
def one(): ...
`,
    { labels: CPU, accept: { 'cpu5c-4-8': /@Endpoint\(cpu='cpu5c-4-8'\)\ndef/ } },
  ],
  [
    'offers CPU types at the very end of a file, after letters of two code units',
    `=== a.py
${SDK}
ICON = "🎨"; api = Endpoint(name="🎨🎨", cpu="‸`,
    { labels: CPU, accept: { 'cpu5c-4-8': /name="🎨🎨", cpu="cpu5c-4-8"$/ } },
  ],
  [
    'offers pairs of workers, and the free quota',
    `=== a.py
${SDK}
@Endpoint(workers=(‸
def one(): ...
=== b.py
${SDK}
@Endpoint(workers=26)
def two(): ...
`,
    {
      labels: ['0, 1', '0, 3', '1, 3', '0, 4'],
      details: { '0, 4': /4 of 30 workers, 4 are left/ },
      accept: { '0, 4': /workers=\(0, 4\)\ndef/ },
    },
  ],
  [
    'offers the fewest workers when no quota is free',
    `=== a.py
${SDK}
@Endpoint(workers=(‸
def one(): ...
=== b.py
${SDK}
@Endpoint(workers=30)
def two(): ...
`,
    { labels: ['0, 1'], details: { '0, 1': /1 of 30 workers, none is left/ } },
  ],
  [
    "offers Endpoint after its module's name",
    `=== a.py
import toolkit_sdk as tk
@tk.‸
def one(): ...
`,
    { labels: ['Endpoint('], accept: { 'Endpoint(': /\n@tk\.Endpoint\(\$\{1:name="\$2"\}\)\n/ } },
  ],
  [
    'offers decorators of the file itself before those it would import',
    `=== a.py
${SDK}
@‸
def one(): ...
=== lb.py
${SDK}
web = Endpoint(name="web")
@web.get("/")
def root(): ...
`,
    { labels: ['Endpoint(', 'web'] },
  ],
  [
    'offers CPU types in the same order with and without quotes',
    `=== a.py
${SDK}
@Endpoint(cpu‸)
def one(): ...
`,
    { accept: { 'cpu=': /cpu="\$\{1\|cpu5c-1-2,cpu5c-2-4,/ } },
  ],
  [
    'offers maximum workers after the comma, starting with the fewest',
    `=== a.py
${SDK}
@Endpoint(workers=(3,‸), name="one")
def one(): ...
=== pyproject.toml
[tool.toolkit]
quota = 12
`,
    { labels: ['3', '5', '12'], accept: { '5': /workers=\(3, 5\), name/ } },
  ],
  [
    "offers the function's own name, and no name that is in use",
    `=== text_api.py
${SDK}
@Endpoint(name="‸")
async def draw(): ...
=== b.py
${SDK}
@Endpoint()
def draw(): ...
`,
    { labels: ['draw-2', 'text_api', 'text-api'], accept: { text_api: /name="text_api"\)/ } },
  ],
  [
    'offers undeclared packages that the body imports first, then installed ones',
    `=== a.py
${SDK}
@Endpoint(dependencies=["tqdm", "‸"])
def one():
    import cv2
    import yaml, os, local
    from . import local
    import tqdm
    import httpx
=== local.py
=== requirements.txt
httpx
`,
    {
      first: ['opencv-python', 'PyYAML'],
      has: ['numpy'],
      hasNot: ['tqdm', 'local'],
      details: { 'opencv-python': /imported here/, numpy: /provided by the base image/ },
      accept: { 'opencv-python': /\["tqdm", "opencv-python"\]/ },
    },
  ],
  [
    'keeps the version after a completed name',
    `=== a.py
${SDK}
@Endpoint(dependencies=["openc‸>=4; python_version > '3'"])
def one():
    import cv2
`,
    { first: ['opencv-python'], accept: { 'opencv-python': /\["opencv-python>=4; python_version > '3'"\]/ } },
  ],
  [
    'offers variables of .env by name, and never shows a value',
    `=== a.py
${SDK}
@Endpoint(env={"A": "b", ‸})
def one(): ...
=== .env
A=hidden-canary
export API_TOKEN = hidden-canary
`,
    {
      labels: ['"API_TOKEN": os.environ["API_TOKEN"]'],
      hasNot: ['hidden-canary'],
      accept: {
        '"API_TOKEN": os.environ["API_TOKEN"]': `import os
${SDK}
@Endpoint(env={"A": "b", "API_TOKEN": os.environ["API_TOKEN"]})
def one(): ...
`,
      },
    },
  ],
  [
    'offers variables as keys, as values and inside os.environ',
    `=== a.py
import os
${SDK}
@Endpoint(env={"API_TOKEN": os.environ["‸"]})
def one(): ...
=== .env.example
API_TOKEN=
`,
    { labels: ['API_TOKEN'], accept: { API_TOKEN: /os\.environ\["API_TOKEN"\]\}/ } },
  ],
  [
    'offers the instances of the project after @, with their import, and Endpoint',
    `${ROUTES}=== more.py
"""Routes."""
from __future__ import annotations

${SDK}

@‸
def get_user(user_id: str): ...
`,
    {
      labels: ['Endpoint(', 'api'],
      details: { api: /load-balanced endpoint lb.*from lb import api/s },
      accept: {
        api: `"""Routes."""
from __future__ import annotations

from lb import api
${SDK}

@api
def get_user(user_id: str): ...
`,
      },
    },
  ],
  [
    'offers an imported instance by its name in the file',
    `${ROUTES}=== more.py
from lb import api as web
own = web
@‸
def more(): ...
`,
    {
      first: ['web', 'own'],
      hasNot: ['api'],
      accept: { web: /^from lb import api as web\nown = web\n@web\ndef/ },
    },
  ],
  [
    'offers verbs after an instance, with a path from the function below',
    `${ROUTES}=== more.py
from lb import api
@api.‸
def get_user(user_id: str): ...
`,
    {
      labels: ['get', 'post', 'put', 'patch', 'delete'],
      accept: { post: /@api\.post\("\$\{1:\/get-user\}"\)\ndef/ },
    },
  ],
  [
    'keeps the brackets after a replaced verb',
    `${ROUTES}=== more.py
from lb import api
@api.g‸et("/x")
def x(): ...
`,
    { has: ['post'], accept: { post: /@api\.post\("\/x"\)/ } },
  ],
  [
    'offers the first segments of other paths, and the parameters of the function below',
    `${ROUTES}@api.get("/users/‸")
def get_user(user_id: str, *, full: bool = False, **rest): ...
`,
    {
      labels: ['{user_id}', '{full}', '/get-user', '/users/'],
      accept: {
        '{user_id}': /@api\.get\("\/users\/\{user_id\}"\)/,
        '/get-user': /@api\.get\("\/get-user"\)/,
      },
    },
  ],
  [
    'replaces one segment of a path, and offers no parameter twice',
    `${ROUTES}@api.get("/users/{user_id}/{fu‸}/x")
def get_user(user_id: str, full: bool = False): ...
`,
    { first: ['{full}'], hasNot: ['{user_id}'], accept: { '{full}': /"\/users\/\{user_id\}\/\{full\}\/x"/ } },
  ],
  [
    "offers peers inside a body, with the import after the body's docstring",
    `${PEER}=== a.py
${SDK}
@Endpoint(name="main")
def main():
    """Call a peer."""

    # Numbers.
    total = 1
    return dr‸
`,
    {
      labels: ['draw'],
      details: { draw: /runs on gpu_worker.*from pictures import draw.*Draw a picture/s },
      accept: {
        draw: `${SDK}
@Endpoint(name="main")
def main():
    """Call a peer."""

    # Numbers.
    from pictures import draw
    total = 1
    return draw
`,
      },
    },
  ],
  [
    'imports a peer into the innermost function, with tabs and Windows line ends as the file has them',
    `${PEER}=== a.py\n${SDK}\r\n@Endpoint()\r\ndef main():\r\n\tdef inner():\r\n\t\tdr‸\r\n`,
    { accept: { draw: /\tdef inner\(\):\r\n\t\tfrom pictures import draw\r\n\t\tdraw\r\n$/ } },
  ],
  [
    'adds no import for a peer that the body already imports',
    `${PEER}=== a.py
${SDK}
@Endpoint()
def main():
    from pictures import draw
    return dr‸
`,
    { labels: ['draw'], accept: { draw: /:\n {4}from pictures import draw\n {4}return draw\n$/ } },
  ],
  [
    'offers no peers unasked after a bracket or comma of ordinary code',
    `${PEER}=== a.py
${SDK}
@Endpoint()
def main():
    print(‸)
`,
    { labels: [], trigger: '(' },
  ],
  [
    'offers the functions of a module that a body imports from',
    `${PEER}=== a.py
${SDK}
@Endpoint()
def main():
    from pictures import ‸
`,
    { labels: ['draw'], details: { draw: /runs on gpu_worker/ } },
  ],
  [
    'offers modules with peers in a body, and only instances at the top of a file',
    `${PEER}${ROUTES}=== a.py
${SDK}
from ‸
`,
    { labels: ['toolkit_sdk', 'lb'] },
  ],
  [
    'offers the names of toolkit_sdk in its import, also in a file that uses nothing else of it',
    `=== a.py
from toolkit_sdk import Endpoint, ‸
`,
    {
      labels: [
        'GpuGroup',
        'GpuType',
        'CpuInstanceType',
        'RemoteError',
        'CallError',
        'CallTimeoutError',
        'progress',
      ],
    },
  ],
  [
    'offers nothing in a file that does not use toolkit_sdk',
    `${PEER}${ROUTES}=== other.py
import os
def main(api):
    @api.‸
`,
    { labels: [] },
  ],
  [
    "offers nothing after @ and in the calls of another package's Endpoint",
    `${ROUTES}=== other.py
from starlette import Endpoint
@Endpoint(‸)
def main(): ...
`,
    { labels: [] },
  ],
  [
    "offers the codes in the comment's line first, and no error codes",
    `=== a.py
import numpy  # toolkit: ignore[‸
${SDK}
@Endpoint(name="one")
def one():
    """One."""
`,
    {
      first: ['top-level-import'],
      has: ['outer-name'],
      hasNot: ['invalid-cpu'],
      accept: { 'top-level-import': /import numpy {2}# toolkit: ignore\[top-level-import\]\n/ },
    },
  ],
  [
    'offers the whole comment if the line has a finding to silence',
    `=== a.py
import numpy  # to‸
${SDK}
@Endpoint(name="one")
def one():
    """One."""
`,
    { labels: ['toolkit: ignore[top-level-import]'] },
  ],
  [
    'offers the missing keys of an endpoint in pyproject.toml',
    `=== pyproject.toml
[tool.toolkit]
app = "x"

[[tool.toolkit.endpoints]]
name = "a"
‸
command = ["x"]

[[tool.toolkit.endpoints]]
kind = "queue"
`,
    {
      first: ['gpu', 'cpu', 'workers'],
      has: ['kind'],
      hasNot: ['name', 'command'],
      accept: { workers: /\nworkers = \[\$\{1:0\}, \$\{2:3\}\]\ncommand/ },
    },
  ],
  [
    'offers the values of an endpoint in pyproject.toml',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
kind = ‸
`,
    { labels: ['"queue"', '"load-balanced"'], accept: { '"load-balanced"': /kind = "load-balanced"\n/ } },
  ],
  [
    'offers hardware and packages inside strings of pyproject.toml',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
dependencies = [
  "opencv‸",
]
`,
    { has: ['opencv-python'], accept: { 'opencv-python': /\n {2}"opencv-python",\n/ } },
  ],
  [
    'offers nothing in the other tables of pyproject.toml',
    `=== pyproject.toml
[project]
‸
[tool.toolkit]
`,
    { labels: [] },
  ],
  [
    'offers the headings of its tables',
    `=== pyproject.toml
[too‸]
`,
    {
      labels: ['tool.toolkit.endpoints', 'tool.toolkit'],
      accept: {
        'tool.toolkit.endpoints': '[[tool.toolkit.endpoints]]\n',
        'tool.toolkit': '[tool.toolkit]\n',
      },
    },
  ],
];

describe('completion', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [], env: { TOOLKIT_PYTHON: '', VIRTUAL_ENV: '' } });
  });
  after(() => client.stop());

  for (const [title, fixture, expected] of CASES) {
    it(title, () =>
      atCursor(client, fixture, async (place) =>
        compare(await offersAt(client, place, expected), place, expected),
      ),
    );
  }

  it("shows an installed package's summary only when it is selected", () =>
    atCursor(client, INSTALLED, async (place) => {
      const item = find(await offersAt(client, place, {}), 'made-up');
      assert.equal(item.detail, '1.2.3 installed');
      assert.equal(item.documentation, undefined);
      const { documentation } = await client.request<CompletionItem>('completionItem/resolve', item);
      assert.deepEqual(documentation, { kind: 'markdown', value: 'Makes things up.' });
    }));

  it('returns an item unchanged that has nothing more to show', () =>
    atCursor(client, `=== a.py\n${SDK}\n@Endpoint(cpu="‸")\ndef one(): ...\n`, async (place) => {
      const [item] = await offersAt(client, place, {});
      assert.deepEqual(await client.request('completionItem/resolve', item), item);
    }));
});

describe('completion of a client that knows neither snippets nor two ranges', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({
      folders: [],
      capabilities: { workspace: { workspaceFolders: true } },
    });
  });
  after(() => client.stop());

  it('inserts plain text to continue from', () =>
    atCursor(client, `=== a.py\n${SDK}\n@Endpoint(wor‸)\ndef one(): ...\n`, async (place) => {
      const item = find(await offersAt(client, place, {}), 'workers=');
      assert.equal(item.insertTextFormat, undefined);
      assert.match(accept(place, item), /@Endpoint\(workers=\)\n/);
      assert.deepEqual(item.documentation, {
        kind: 'plaintext',
        value:
          'Minimum and maximum number of workers, or only the maximum. The maximum counts toward the quota.\n\nDefault: (0, 3)',
      });
    }));

  it('replaces the whole text of cpu', () =>
    atCursor(client, `=== a.py\n${SDK}\n@Endpoint(cpu="c‸pu3c-9-9")\ndef one(): ...\n`, async (place) => {
      const item = find(await offersAt(client, place, {}), 'cpu5c-4-8');
      assert.match(accept(place, item), /@Endpoint\(cpu="cpu5c-4-8"\)\n/);
    }));
});

async function offersAt(
  client: LanguageClient,
  { uri, position }: AtCursor,
  { trigger }: Expected,
): Promise<CompletionItem[]> {
  const context = trigger === undefined ? { triggerKind: 1 } : { triggerKind: 2, triggerCharacter: trigger };
  return itemsOf(
    await client.request('textDocument/completion', { textDocument: { uri }, position, context }),
  );
}

function compare(items: CompletionItem[], place: AtCursor, expected: Expected): void {
  const labels = items.toSorted((a, b) => (a.sortText! < b.sortText! ? -1 : 1)).map(({ label }) => label);
  if (expected.labels) assert.deepEqual(labels, expected.labels);
  if (expected.first) assert.deepEqual(labels.slice(0, expected.first.length), expected.first);
  for (const label of expected.has ?? [])
    assert.ok(labels.includes(label), `${label} among ${labels.join(', ')}`);
  for (const label of expected.hasNot ?? [])
    assert.ok(!labels.includes(label), `no ${label} among ${labels.join(', ')}`);
  for (const [label, text] of Object.entries(expected.accept ?? {})) {
    const accepted = accept(place, find(items, label));
    if (text instanceof RegExp) assert.match(accepted, text);
    else assert.equal(accepted, text);
  }
  for (const [label, text] of Object.entries(expected.details ?? {})) {
    const { detail, documentation } = find(items, label);
    const markdown = typeof documentation === 'string' ? documentation : documentation?.value;
    assert.match(`${detail} ${markdown}`, text);
  }
}

function find(items: readonly CompletionItem[], label: string): CompletionItem {
  const item = items.find((one) => one.label === label);
  assert.ok(item, `${label} among ${items.map((one) => one.label).join(', ')}`);
  return item;
}

/** The text after an offer is accepted and its whole range replaced, also after the cursor. */
function accept(
  { uri, text, position }: AtCursor,
  { textEdit, additionalTextEdits }: CompletionItem,
): string {
  assert.ok(textEdit);
  const range = 'range' in textEdit ? textEdit.range : textEdit.replace;
  assert.ok(range.start.line === position.line && range.end.line === position.line, 'an edit is in one line');
  assert.ok(range.start.character <= position.character && position.character <= range.end.character);
  const edits: TextEdit[] = [{ range, newText: textEdit.newText }, ...(additionalTextEdits ?? [])];
  return TextDocument.applyEdits(TextDocument.create(uri, 'python', 1, text), edits);
}
