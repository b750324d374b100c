/** Hovers from the real server: what each position of a declaration shows, and what no hover shows. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Hover, MarkupContent } from 'vscode-languageserver';
import { EDITOR_MESSAGES } from '../../runtime/contract/editorMessages.ts';
import { type AtCursor, atCursor } from './atCursor.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const GPU = `from toolkit_sdk import Endpoint, GpuGroup
import os

@Endpoint(
    name="gpu_worker",
    gpu=GpuGroup.ADA_24,
    workers=(0, 4),
    dependencies=["pillow>=10", "numpy"],
    env={"MODE": "hidden-canary", "TOKEN": os.environ["TOKEN"]},
    idle_timeout=300,
)
def draw(text: str):
    """Draw *one* picture."""
    return text
`;

const API = `from toolkit_sdk import Endpoint
api = Endpoint(name="text-api", cpu="cpu5c-4-8")
@api.get("/health")
def health():
    """Say that it is up."""
@api.post("/users/{id}")
def put_user(id: str): ...
`;

/** The project, with the cursor after the first letter of a text in one of its files. */
function project(file: 'gpu.py' | 'lb.py', at: string): string {
  const texts = { 'gpu.py': GPU, 'lb.py': API };
  const place = texts[file].indexOf(at) + 1;
  assert.ok(place > 0, at);
  texts[file] = `${texts[file].slice(0, place)}‸${texts[file].slice(place)}`;
  return `=== gpu.py\n${texts['gpu.py']}=== lb.py\n${texts['lb.py']}`;
}

const PROJECT = `=== gpu.py\n${GPU}=== lb.py\n${API}`;

const WHOLE = `**\`gpu_worker\`** · queue-based endpoint

Draw \\*one\\* picture.

- hardware: GPU \`ADA_24\` (NVIDIA GeForce RTX 4090 · 24 GB)
- workers: 0–4 · 4 of 30 workers, 7 taken by all endpoints
- idle timeout: 300 s
- image: \`toolkit/base-gpu\` *(default)*
- env: \`MODE\`, \`TOKEN\` *(filled in when you deploy)*
- dependencies: \`pillow>=10\`, \`numpy\` *(in the base image)*
- in dev: \`POST /gpu/runsync\``;

const INSTANCE = `**\`text-api\`** · load-balanced endpoint

- hardware: \`cpu5c-4-8\` (4 vCPU, 8 GB RAM)
- workers: 0–3 *(default)* · 3 of 30 workers, 7 taken by all endpoints
- idle timeout: 60 s *(default)*
- image: \`toolkit/base-cpu\` *(default)*

- \`GET /health\` Say that it is up.
- \`POST /users/{id}\``;

const HEALTH = `\`GET /health\` · route of **\`text-api\`**

Say that it is up.

- in dev: \`GET /lb/health\`
- deployed: \`GET /health\` at the endpoint's own address`;

const CASES: [title: string, fixture: string, expected: string | RegExp | null, hovered?: string][] = [
  ['shows an endpoint at its declaration', project('gpu.py', 'Endpoint('), WHOLE, 'Endpoint'],
  ['shows an endpoint at its name', project('gpu.py', '"gpu_worker"'), WHOLE, '"gpu_worker"'],
  ['shows an endpoint at its function', project('gpu.py', 'draw('), WHOLE, 'draw'],
  ['shows an instance at its variable', project('lb.py', 'api = '), INSTANCE, 'api'],
  ['shows an instance where a decorator uses it', project('lb.py', 'api.post'), INSTANCE, 'api'],
  ['shows a route at its path', project('lb.py', '"/health'), HEALTH, '"/health"'],
  ['shows a route at its verb', project('lb.py', 'get('), HEALTH, 'get'],
  ['shows a route at its function', project('lb.py', 'health()'), HEALTH, 'health'],
  [
    'shows the cards of a GPU group',
    project('gpu.py', 'ADA_24'),
    /^\*\*gpu\*\* · GPU `ADA_24` \(NVIDIA GeForce RTX 4090 · 24 GB\)/,
    'GpuGroup.ADA_24',
  ],
  [
    'shows the size of a CPU type',
    project('lb.py', '"cpu5c'),
    /^\*\*cpu\*\* · `cpu5c-4-8` \(4 vCPU, 8 GB RAM\)/,
    '"cpu5c-4-8"',
  ],
  [
    'shows how much of the quota the workers use, and the default',
    project('gpu.py', 'workers='),
    /^\*\*workers\*\* · 0–4 · 4 of 30 workers, 7 taken by all endpoints\n\n.*Default: `\(0, 3\)`\.$/s,
    'workers',
  ],
  [
    'shows that the base image has a dependency',
    project('gpu.py', '"numpy"'),
    /^\*\*`numpy`\*\*[^]*The base image provides it, so it is left out of the artifact\.$/,
    '"numpy"',
  ],
  [
    'shows that a dependency is bundled',
    project('gpu.py', '"pillow'),
    /^\*\*`pillow`\*\*[^]*bundled into the artifact\.$/,
    '"pillow>=10"',
  ],
  [
    'shows only the names of env',
    project('gpu.py', 'env='),
    /^\*\*env\*\* · `MODE`, `TOKEN` \*\(filled in when you deploy\)\*\n/,
    'env',
  ],
  [
    "shows where another endpoint's function runs, at its call in a body",
    `${PROJECT}=== main.py
from toolkit_sdk import Endpoint
@Endpoint()
def main():
    from gpu import draw as paint
    return pa‸int("x")
`,
    /^`draw\(\)` runs on \*\*`gpu_worker`\*\*, not in this worker\n\n\*\*`gpu_worker`\*\*/,
    'paint',
  ],
  [
    "shows where another instance's function runs, by its module",
    `${PROJECT}=== main.py
from toolkit_sdk import Endpoint
@Endpoint()
def main():
    import lb
    return lb.put_us‸er("x")
`,
    /^`put_user\(\)` runs on \*\*`text-api`\*\*, not in this worker\n\n`POST \/users\/\{id\}` · route/,
    'put_user',
  ],
  [
    'shows where the name and the defaults come from',
    `=== main.py
from toolkit_sdk import Endpoint
@End‸point()
def main(): ...
`,
    `**\`main\`** · queue-based endpoint, named after its function

- hardware: GPU \`ANY\` (any card, for the best availability) *(default)*
- workers: 0–3 *(default)* · 3 of 30 workers, 3 taken by all endpoints
- idle timeout: 60 s *(default)*
- image: \`toolkit/base-gpu\` *(default)*
- in dev: \`POST /main/runsync\``,
  ],
  [
    'marks what is known only at run time',
    `=== main.py
from toolkit_sdk import Endpoint
from elsewhere import settings
@End‸point(name=settings.name, workers=settings.workers, cpu=settings.cpu)
def main(): ...
`,
    /^\*name known only at run time\* · queue-based endpoint\n\n- hardware: \*known only at run time\*\n- workers: \*known only at run time\*/,
  ],
  [
    'distinguishes several queue-based functions of one file in dev',
    `=== main.py
from toolkit_sdk import Endpoint
@Endpoint()
def one(): ...
@End‸point()
def two(): ...
`,
    /- in dev: `POST \/main\/two\/runsync`$/,
  ],
  [
    'shows an endpoint of pyproject.toml',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
na‸me = "any-language"
command = ["./server", "-v"]
workers = [0, 2]
`,
    /^\*\*`any-language`\*\* · queue-based endpoint\n\n[^]*- command: `\.\/server -v`$/,
    'name',
  ],
  [
    'shows an argument of pyproject.toml in TOML syntax',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "any-language"
command = ["./server"]
wor‸kers = [0, 2]
`,
    /^\*\*workers\*\* · 0–2 · [^]* Default: `\[0, 3\]`\.$/,
    'workers',
  ],
  [
    'shows the command of pyproject.toml',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "any-language"
com‸mand = ["./server", "-v"]
`,
    /^\*\*command\*\* · `\.\/server -v`\n\nProgram and arguments[^]*root\.$/,
    'command',
  ],
  [
    'reports a declaration without a name',
    '=== main.py\nfrom toolkit_sdk import Endpoint\napi = End‸point()\n',
    /^\*no name\* · load-balanced endpoint\n/,
  ],
  [
    'reports an invalid name',
    '=== main.py\nfrom toolkit_sdk import Endpoint\napi = End‸point(name=5)\n',
    /^\*no valid name\* · load-balanced endpoint\n/,
  ],
  [
    'explains that an endpoint has the name of its class',
    '=== main.py\nfrom toolkit_sdk import Endpoint\n@Endpoint()\nclass Mod‸el:\n    def run(self): ...\n',
    /^\*\*`Model`\*\* · queue-based endpoint, named after its class\n/,
  ],
  [
    'explains what progress shows, and how often',
    `=== main.py
from toolkit_sdk import Endpoint, progress
@Endpoint(name="one")
def main():
    prog‸ress(0.5)
`,
    /^Shows a value as the `output` of the running job[^]*four values per second/,
    'progress',
  ],
  ['shows nothing for a local name', project('gpu.py', 'text\n'), null],
  [
    'shows nothing in a file that does not use toolkit_sdk',
    `${PROJECT}=== other.py
def dra‸w(): ...
`,
    null,
  ],
  [
    'shows an endpoint although the file is broken below it',
    `=== main.py
from toolkit_sdk import Endpoint
@End‸point(name="one")
def main(): ...
api = Endpoint(name="lb", cpu="
`,
    /^\*\*`one`\*\* · queue-based endpoint/,
  ],
];

describe('hover', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [] });
  });
  after(() => client.stop());

  for (const [title, fixture, expected, hovered] of CASES) {
    it(title, () =>
      atCursor(client, fixture, async (place) =>
        compare(await hoverAt(client, place), place, expected, hovered),
      ),
    );
  }

  it('shows where it is deployed and where the dev server runs, once the editor has reported it', () =>
    atCursor(client, project('lb.py', '"/users'), async (place) => {
      const deployed = { 'text-api': { id: 'x', url: 'http://127.0.0.1:9000', build: 7 } };
      const dev = 'http://localhost:8888';
      await client.notify(EDITOR_MESSAGES.deployed, {
        projects: [{ root: uriOf(place.root), environment: 'production', endpoints: deployed, dev }],
      });
      compare(
        await hoverAt(client, place),
        place,
        `\`POST /users/{id}\` · route of **\`text-api\`**

- in dev: \`POST http://localhost:8888/lb/users/{id}\`
- deployed: \`POST http://127.0.0.1:9000/users/{id}\` · build 7 in production`,
      );
      await client.notify(EDITOR_MESSAGES.deployed, { projects: [] });
    }));

  it('shows address and build of a deployed queue-based endpoint', () =>
    atCursor(client, project('gpu.py', 'Endpoint('), async (place) => {
      const endpoints = { gpu_worker: { id: 'g', url: 'http://127.0.0.1:8890/v2/g', build: 3 } };
      await client.notify(EDITOR_MESSAGES.deployed, {
        projects: [{ root: uriOf(place.root), environment: 'staging', endpoints, dev: null }],
      });
      compare(
        await hoverAt(client, place),
        place,
        `${WHOLE}\n- deployed: \`POST http://127.0.0.1:8890/v2/g/runsync\` · build 3 in staging`,
      );
      await client.notify(EDITOR_MESSAGES.deployed, { projects: [] });
    }));
});

describe('hover of a client that shows no Markdown', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({
      folders: [],
      capabilities: { workspace: { workspaceFolders: true } },
    });
  });
  after(() => client.stop());

  it('shows the same as plain text', () =>
    atCursor(client, project('gpu.py', 'Endpoint('), async (place) => {
      const { contents } = (await hoverAt(client, place)) as { contents: MarkupContent };
      assert.equal(contents.kind, 'plaintext');
      assert.equal(
        contents.value,
        `gpu_worker · queue-based endpoint

Draw *one* picture.

- hardware: GPU ADA_24 (NVIDIA GeForce RTX 4090 · 24 GB)
- workers: 0–4 · 4 of 30 workers, 7 taken by all endpoints
- idle timeout: 300 s
- image: toolkit/base-gpu (default)
- env: MODE, TOKEN (filled in when you deploy)
- dependencies: pillow>=10, numpy (in the base image)
- in dev: POST /gpu/runsync`,
      );
    }));
});

function hoverAt(client: LanguageClient, { uri, position }: AtCursor): Promise<Hover | null> {
  return client.request('textDocument/hover', { textDocument: { uri }, position });
}

/** @param hovered - The text in the hover's range. */
function compare(
  hover: Hover | null,
  { text }: AtCursor,
  expected: string | RegExp | null,
  hovered?: string,
): void {
  if (expected === null || hover === null) return assert.equal(hover, expected);
  const { value } = hover.contents as MarkupContent;
  assert.doesNotMatch(value, /hidden-canary/);
  if (expected instanceof RegExp) assert.match(value, expected);
  else assert.equal(value, expected);
  const { start, end } = hover.range!;
  assert.equal(start.line, end.line);
  if (hovered !== undefined)
    assert.equal(text.split('\n')[start.line]!.slice(start.character, end.character), hovered);
}
