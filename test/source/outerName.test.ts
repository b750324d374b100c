/**
 * Compares the rule with Python itself: each module is imported like a worker imports it, and its function is
 * called.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { writeProject } from './checkProject.ts';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));
const sdk = fileURLToPath(new URL('../../runtime/python', import.meta.url));

const CALL = `
import importlib, json, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
from toolkit_sdk._dispatch import undecorated
missing = {}
for name in sys.argv[3:]:
    module = importlib.import_module(name)
    try:
        undecorated(module.run)()
        missing[name] = None
    except NameError as error:
        missing[name] = error.name
print(json.dumps(missing))
`;

const MAIN = 'if __name__ == "__main__":\n    settings = size = input = 1\n';

/** Title, the module's text around its function, the function's body. */
const CASES: [title: string, body: string, module?: string][] = [
  ['a read in the body', 'return settings'],
  ['a read in a string', 'return f"{1:{settings}}"'],
  ['a read in a nested function', 'def inner():\n    return settings\nreturn inner()'],
  ['a default of a lambda', 'return (lambda value=settings: value)()'],
  ['a decorator of a nested function', '@settings\ndef inner(): ...\nreturn inner'],
  ['a base of a nested class', 'class Inner(settings): ...\nreturn Inner'],
  ['a keyword’s value', 'return dict(settings=settings)'],
  ['an attribute and a keyword of the same name', 'return dict(settings=1).get("settings", [].__len__)'],
  ['a name that the body binds', 'settings = 1\nreturn settings'],
  ['a name that the body imports', 'import json as settings\nreturn settings'],
  ['a comprehension’s own name', 'return [settings for settings in "ab"]'],
  ['a name after its comprehension', 'return [settings for settings in "ab"], settings'],
  ['the first iterable of a comprehension', 'return [size for size in settings]'],
  [
    'a name of a class in its comprehension',
    'class K:\n    size = 1\n    all = [size for _ in "a"]\nreturn K',
  ],
  [
    'a name of a class as a first iterable',
    'class K:\n    size = "ab"\n    all = [one for one in size]\nreturn K',
  ],
  [
    'a name of a class in its method',
    'class K:\n    size = 1\n    def get(self): return size\nreturn K().get()',
  ],
  ['a name of a class in its own body', 'class K:\n    size = 1\n    more = size + 1\nreturn K'],
  ['a walrus inside a comprehension', 'any(settings := one for one in "a")\nreturn settings'],
  [
    'a name captured by a pattern',
    'match [1, 2]:\n    case [settings, *size]:\n        return settings, size',
  ],
  [
    'a name captured from an attribute of a class',
    'match 1j:\n    case complex(real=settings, imag=size):\n        return settings, size',
  ],
  [
    'an attribute of a class in a pattern',
    'match 1j:\n    case complex(settings=1):\n        return 1\nreturn settings',
  ],
  ['a class named in a pattern', 'match 1:\n    case settings(): ...'],
  [
    'a name that an inner function binds',
    'size = 0\ndef inner():\n    nonlocal size\n    size = 1\ninner()\nreturn size',
  ],
  ['a name that the body declares global', 'global settings\nsettings = 1\nreturn settings'],
  ['a target of for, with and except', 'for settings in "a": ...\nreturn settings'],
  ['a builtin that the script shadows', 'return callable(input)'],
  ['an exception that is handled', 'try:\n    return settings\nexcept NameError:\n    return None'],
  [
    'a name whose exception another handler does not catch',
    'try:\n    return settings\nexcept ValueError:\n    return None',
  ],
  ['a name that is also bound elsewhere', 'return settings', 'settings = 2\n'],
  ['a name bound in the other branch', 'return settings', 'if __name__ != "__main__":\n    settings = 2\n'],
  [
    'a name that a function declares global',
    'prepare()\nreturn settings',
    'def prepare():\n    global settings\n    settings = 3\n',
  ],
  ['a name that is set on the module', 'return settings', 'globals()["settings"] = 2\n'],
  [
    'a name of a star import',
    'return join("a", "b")',
    'from os.path import *\nif __name__ == "__main__":\n    join = 1\n',
  ],
  ['a deleted name', 'return table', 'table = 1\ndel table\n'],
  ['a name that is bound after its deletion', 'return table', 'table = 1\ndel table\ntable = 2\n'],
  [
    'a name of an except clause',
    'return reason',
    'try:\n    import no_such_module\nexcept ImportError as reason: ...\n',
  ],
  [
    'an import for type checkers',
    'return Path',
    'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pathlib import Path\n',
  ],
  [
    'an annotation of a local name',
    'one: Path = 1\nreturn one',
    'import typing\nif typing.TYPE_CHECKING:\n    from pathlib import Path\n',
  ],
];

describe('outer-name', () => {
  const moduleOf = (at: number) => `case_${at}`;
  const textOf = (body: string, module = '') =>
    `from toolkit_sdk import Endpoint\n${module}@Endpoint(name="a")\ndef run():\n${body.replaceAll(/^/gm, '    ')}\n${MAIN}`;
  let missing: Record<string, string | null>;
  let found: Diagnostic[];
  before(async () => {
    const root = writeProject(
      Object.fromEntries(CASES.map(([, body, module], at) => [`${moduleOf(at)}.py`, textOf(body, module)])),
    );
    const names = CASES.map((_, at) => moduleOf(at));
    missing = JSON.parse(execFileSync(python, ['-c', CALL, sdk, root, ...names], { encoding: 'utf8' }));
    const { diagnostics } = await readProject({ root, env: {} });
    found = diagnostics.filter(({ code }) => code === 'outer-name');
  });

  for (const [at, [title]] of CASES.entries()) {
    it(`reports ${title} exactly when Python fails`, () => {
      const here = found.filter(({ file }) => file === `${moduleOf(at)}.py`);
      const names = here.map(({ message }) => message.split(' ', 1)[0]);
      assert.deepEqual(names, missing[moduleOf(at)] === null ? [] : [missing[moduleOf(at)]]);
    });
  }
});
