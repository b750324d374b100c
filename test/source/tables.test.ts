import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from './checkProject.ts';

const SDK = 'from toolkit_sdk import Endpoint';

/** Title, project with its marks, and what the messages must contain. */
const CASES: [title: string, fixture: string, ...messages: RegExp[]][] = [
  [
    'reports invalid values with the same codes as in Python, at the value',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "a"
command = ["./a"]
gpu = "ADA_42"
      ^^^^^^^^ error: unknown-gpu
[[tool.toolkit.endpoints]]
name = "b"
command = ["./b"]
cpu = "5c-4-8"
      ^^^^^^^^ error: invalid-cpu
workers = [3, 1]
          ^^^^^^ error: invalid-workers
[[tool.toolkit.endpoints]]
name = "c"
command = ["./c"]
cpu = "cpu5c-4-9"
      ^^^^^^^^^^^ warning: unknown-cpu
idle_timeout = "10"
               ^^^^ error: invalid-argument
dependencies = ["torch>=2", 3]
                            ^ error: invalid-argument
env = { A = "1", B = 2 }
                     ^ error: invalid-argument
wokers = 1
^^^^^^ error: unknown-keyword
[[tool.toolkit.endpoints]]
name = "d"
command = ["./d"]
gpu = 3
      ^ error: invalid-argument
image = 1979-05-27
        ^^^^^^^^^^ error: invalid-argument
[[tool.toolkit.endpoints]]
name = "my endpoint"
       ^^^^^^^^^^^^^ error: invalid-name
command = ["./d"]
[[tool.toolkit.endpoints]]
name = "live-x"
       ^^^^^^^^ error: reserved-name
command = ["./d"]
`,
    /did you mean "ADA_\d\d"\? Write gpu = "/,
    /Write workers = \[1, 3\]\./,
    /Write cpu = "cpu5c-4-8"/,
    /has no key wokers; did you mean workers\?/,
    /env = \{ MODE = "fast" \}/,
    /name = "my-endpoint"/,
    /gpu must be the name of a GPU group or type. For example: gpu = "ANY"/,
  ],
  [
    'gpu-and-cpu and provided-by-image',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "a"
command = ["./a"]
gpu = "ANY"
cpu = "cpu5c-4-8"
^^^ error: gpu-and-cpu
dependencies = ["torch", "idna"]
                ^^^^^^^ hint: provided-by-image
`,
  ],
  [
    'a command that is missing, empty or not a list of strings',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-argument
name = "a"
[[tool.toolkit.endpoints]]
name = "b"
command = []
          ^^ error: invalid-argument
[[tool.toolkit.endpoints]]
name = "c"
command = "node server.js"
          ^^^^^^^^^^^^^^^^ error: invalid-argument
[[tool.toolkit.endpoints]]
name = "d"
command = ["node", 1]
                   ^ error: invalid-argument
[[tool.toolkit.endpoints]]
name = "e"
command = [""]
           ^^ error: invalid-argument
`,
    /needs a command that starts its worker/,
    /Write command = \["node", "server.js"\]/,
  ],
  [
    'a missing or empty name, and an unknown kind',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
^^^^^^^^^^^^^^^^^^^^^^^^^^ error: missing-name
command = ["./a"]
[[tool.toolkit.endpoints]]
name = ""
       ^^ error: missing-name
command = ["./a"]
[[tool.toolkit.endpoints]]
name = "c"
command = ["./a"]
kind = "http"
       ^^^^^^ error: invalid-argument
`,
    /Write kind = "load-balanced"/,
  ],
  [
    'a name that is used in Python’s declarations or another table, at every location',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "one"
       ^^^^^ error: duplicate-queue-name
command = ["./a"]
[[tool.toolkit.endpoints]]
name = "api"
       ^^^^^ error: duplicate-queue-name
command = ["./a"]
[[tool.toolkit.endpoints]]
name = "twice"
       ^^^^^^^ error: duplicate-queue-name
kind = "load-balanced"
command = ["./a"]
[[tool.toolkit.endpoints]]
name = "twice"
       ^^^^^^^ error: duplicate-queue-name
kind = "load-balanced"
command = ["./b"]
=== a.py
${SDK}
@Endpoint()
def one(): ...
    ^^^ error: duplicate-queue-name
api = Endpoint(name="api")
                    ^^^^^ error: duplicate-queue-name
@api.get("/a")
def a(): ...
`,
  ],
  [
    'workers count for the quota',
    `=== pyproject.toml
[tool.toolkit]
quota = 2
[[tool.toolkit.endpoints]]
name = "one"
command = ["./a"]
workers = [0, 3]
          ^^^^^^ error: worker-quota
`,
    /for example to \[0, 1\]/,
  ],
  [
    'a comment silences a warning in its line, but no error',
    `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "one"
command = ["./a"]
cpu = "cpu5c-4-9" # toolkit: ignore[unknown-cpu]
workers = [3, 0] # toolkit: ignore[invalid-workers]
          ^^^^^^ error: invalid-workers
`,
    /A comment cannot silence an error/,
  ],
  [
    'one table, or a string, instead of a list of tables',
    `=== pyproject.toml
[tool.toolkit.endpoints]
^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-argument
name = "one"
`,
    /Start each endpoint with the line \[\[tool.toolkit.endpoints\]\]/,
  ],
];

describe('endpoints of pyproject.toml', () => {
  for (const [title, fixture, ...messages] of CASES)
    it(title, async () => void (await check(fixture, { messages })));

  it('are listed with everything in the table', async () => {
    const { endpoints } = await check(`=== pyproject.toml
[project]
name = "mixed"

[[tool.toolkit.endpoints]]
name = "server"
kind = "load-balanced"
command = ["node", "server.js"]
gpu = "ADA_24"
workers = [1, 2]
idle_timeout = 30
dependencies = ["idna"]
image = "registry.example/node:22"
gpu_count = 2
execution_timeout = 12.5
max_concurrency = 8
env.MODE = "fast"

[[tool.toolkit.endpoints]]
name = "worker"
command = ["./worker"]
cpu = "cpu3c-1-2"
workers = 1
[tool.toolkit.endpoints.env]
"LEVEL" = """
high"""
`);
    const shared = { routes: [], functions: [], envFrom: {}, dynamic: [], deployed: null };
    assert.deepEqual(endpoints, [
      {
        ...shared,
        name: 'server',
        kind: 'load-balanced',
        file: 'pyproject.toml',
        line: 4,
        hardware: { gpu: 'ADA_24' },
        workers: { min: 1, max: 2 },
        idleTimeout: 30,
        dependencies: ['idna'],
        env: { MODE: 'fast' },
        image: 'registry.example/node:22',
        gpuCount: 2,
        executionTimeout: 12.5,
        maxConcurrency: 8,
        command: ['node', 'server.js'],
      },
      {
        ...shared,
        name: 'worker',
        kind: 'queue',
        file: 'pyproject.toml',
        line: 18,
        hardware: { cpu: 'cpu3c-1-2' },
        workers: { min: 0, max: 1 },
        idleTimeout: 60,
        dependencies: [],
        env: { LEVEL: 'high' },
        image: null,
        gpuCount: null,
        executionTimeout: null,
        maxConcurrency: null,
        command: ['./worker'],
      },
    ]);
  });

  it('can be inline tables, with any line ends and a byte order mark', async () => {
    for (const text of [
      'tool.toolkit.endpoints = [{ name = "a", command = ["./a"] }]\n',
      '[tool]\r\n[tool.toolkit]\r\nendpoints = [\r\n{ name = "a", command = ["./a"] },\r\n]\r\n',
      '\uFEFF[[tool.toolkit.endpoints]]\nname = "a"\ncommand = ["./a"]\n',
    ]) {
      const { endpoints } = await check(`=== pyproject.toml\n${text}`);
      assert.deepEqual(
        endpoints.map(({ name, command }) => ({ name, command })),
        [{ name: 'a', command: ['./a'] }],
      );
    }
  });
});
