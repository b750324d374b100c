/**
 * Renames over stdio, applied to the files and read again: names, functions, instances, aliases, and
 * refusals.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { DocumentContext } from '../../server/features/feature.ts';
import { rename } from '../../server/features/rename.ts';
import { writeProject } from '../source/checkProject.ts';
import { openProject } from '../source/liveProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';
import { type MarkedSession, markedSessions } from './markedSession.ts';

const HEAD = 'from toolkit_sdk import Endpoint';

/** The parameters of a rename at the mark `here`. */
async function renameAt(session: MarkedSession, newName: string): Promise<WorkspaceEdit> {
  const mark = session.marks.find(({ label }) => label === 'here')!;
  return await session.client.request('textDocument/rename', { ...session.at(mark), newName });
}

/** The files after the edits without an annotation, or with one of the given ones. */
function applied(
  session: MarkedSession,
  edit: WorkspaceEdit,
  ...annotations: string[]
): Record<string, string> {
  const files = { ...session.files };
  for (const { textDocument, edits } of (edit.documentChanges ?? []) as TextDocumentEdit[]) {
    const file = session.fileOf(textDocument.uri);
    const wanted = (edits as TextEdit[]).filter(
      (one) => !('annotationId' in one) || annotations.includes(String(one.annotationId)),
    );
    files[file] = TextDocument.applyEdits(TextDocument.create(file, 'python', 0, files[file]!), wanted);
  }
  return files;
}

describe('textDocument/rename', () => {
  const open = markedSessions();

  it('renames a function in all files, keeps aliases, and leaves other names alone', () =>
    open(
      `
=== gpu.py
${HEAD}
__all__ = ["resize"]
@Endpoint(name="gpu-resize")
def resize(image, other="resize"):
    ^^^^^^ here
    def inner(size): return resize(size)
    return inner
=== caller.py
${HEAD}
from gpu import resize as small
import gpu
@Endpoint(name="caller")
def call(image):
    return small(image), gpu.resize(image), {"resize": 1}, image.size
`,
      async (session) => {
        const edit = await renameAt(session, 'shrink');
        assert.deepEqual(applied(session, edit), {
          'gpu.py': session.files['gpu.py']!.replace('__all__ = ["resize"]', '__all__ = ["shrink"]')
            .replace('def resize', 'def shrink')
            .replace('return resize(', 'return shrink('),
          'caller.py': session.files['caller.py']!.replace('import resize as', 'import shrink as').replace(
            'gpu.resize(',
            'gpu.shrink(',
          ),
        });
        assert.deepEqual(edit.changeAnnotations, {});
      },
    ));

  it('renames only an alias, also in files that import it', () =>
    open(
      `
=== gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image): ...
=== hub.py
from gpu import resize as small
=== caller.py
from gpu import resize as small_too
from hub import small
small(1)
^^^^^ here
=== own.py
from gpu import resize as small
small(2)
`,
      async (session) => {
        const edit = await renameAt(session, 'tiny');
        assert.deepEqual(applied(session, edit), {
          ...session.files,
          'hub.py': 'from gpu import resize as tiny\n',
          'caller.py': 'from gpu import resize as small_too\nfrom hub import tiny\ntiny(1)\n',
        });
      },
    ));

  it('offers strings that name a function with its module', () =>
    open(
      `
=== pkg/gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image): ...
    ^^^^^^ here
=== checks.py
from unittest.mock import patch
with patch("pkg.gpu.resize"), patch("other.gpu.resize"), patch("resize"): ...
=== pyproject.toml
[project.scripts]
shrink = "pkg.gpu:resize"
`,
      async (session) => {
        const edit = await renameAt(session, 'shrink');
        const files = applied(session, edit, 'maybe');
        assert.match(
          files['checks.py']!,
          /patch\("pkg.gpu.shrink"\), patch\("other.gpu.resize"\), patch\("resize"\)/,
        );
        assert.match(files['pyproject.toml']!, /"pkg.gpu:shrink"/);
        assert.equal(applied(session, edit)['checks.py'], session.files['checks.py']);
      },
    ));

  it('asks before it renames a possibly different function', () =>
    open(
      `
=== gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image): ...
=== caller.py
try:
    def resize(image): return image
except ValueError:
    from gpu import resize
resize(1)
^^^^^^ here
`,
      async (session) => {
        const edit = await renameAt(session, 'shrink');
        assert.deepEqual(applied(session, edit), {
          ...session.files,
          'gpu.py': session.files['gpu.py']!.replace('resize', 'shrink'),
        });
        assert.deepEqual(
          applied(session, edit, 'maybe')['caller.py'],
          session.files['caller.py']!.replaceAll('resize', 'shrink'),
        );
      },
    ));

  it('renames an instance with its decorators in every file', () =>
    open(
      `
=== api.py
${HEAD}
api = Endpoint(name="api")
^^^ here
@api.get("/api")
def a(api_key): ...
=== routes.py
from api import api
@api.post("/b")
def b(): ...
`,
      async (session) => {
        const edit = await renameAt(session, 'web');
        const files = applied(session, edit);
        assert.equal(files['routes.py'], 'from api import web\n@web.post("/b")\ndef b(): ...\n');
        assert.equal(
          files['api.py'],
          `${HEAD}\nweb = Endpoint(name="api")\n@web.get("/api")\ndef a(api_key): ...\n`,
        );
      },
    ));

  it("reports that an unnamed endpoint gets its function's new name, and offers to keep the old one", () =>
    open(
      `
=== gpu.py
${HEAD}
@Endpoint(workers=(0, 1))
def resize(image): ...
    ^^^^^^ here
CALLS = {"resize": 1}
`,
      async (session) => {
        const edit = await renameAt(session, 'shrink');
        const annotations = edit.changeAnnotations!;
        assert.deepEqual(
          Object.values(annotations).map(({ needsConfirmation }) => needsConfirmation),
          [false, true, true],
        );
        assert.match(annotations.follows!.description!, /creates "shrink" and removes "resize"/);
        assert.match(
          applied(session, edit, 'follows')['gpu.py']!,
          /@Endpoint\(workers=\(0, 1\)\)\ndef shrink/,
        );
        assert.match(
          applied(session, edit, 'follows', 'keeps')['gpu.py']!,
          /@Endpoint\(name="resize", workers=\(0, 1\)\)\ndef shrink/,
        );
        assert.match(applied(session, edit, 'follows', 'maybe')['gpu.py']!, /CALLS = \{"shrink": 1\}/);
      },
    ));

  it('gives a declaration an explicit name that came from its function', () =>
    open(
      `
=== gpu.py
${HEAD}
@Endpoint(name=None)
def resize(image): ...
    ^^^^^^ here
`,
      async (session) => {
        const files = applied(session, await renameAt(session, 'shrink'), 'follows', 'keeps');
        assert.match(files['gpu.py']!, /@Endpoint\(name="resize"\)\ndef shrink/);
      },
    ));

  it('renames a name in every declaration of it, in the constant that defines it', () =>
    open(
      `
=== names.py
WEB = 'web-site'
       ^ here
=== api.py
${HEAD}
from names import WEB
SETTINGS = {"name": "web-site", "workers": (0, 1)}
one = Endpoint(name=WEB)
@one.get("/a")
def a(): ...
two = Endpoint(**SETTINGS)
@two.get("/b")
def b(): ...
three = Endpoint(name="web" + "-site")
@three.get("/c")
def c(): ...
REPORT = f"{WEB} is up"
LABEL = "web-site"
`,
      async (session) => {
        const edit = await renameAt(session, 'shop');
        assert.deepEqual(applied(session, edit), {
          'names.py': "WEB = 'shop'\n",
          'api.py': session.files['api.py']!.replace('"name": "web-site"', '"name": "shop"').replace(
            '"web" + "-site"',
            '"shop"',
          ),
        });
        assert.deepEqual(Object.keys(edit.changeAnnotations!), ['maybe']);
        assert.deepEqual(
          applied(session, edit, 'maybe')['api.py']!.match(/LABEL = .*/)?.[0],
          'LABEL = "shop"',
        );
      },
    ));

  it("leaves a module's exports alone when an endpoint has the same name", () =>
    open(
      `
=== gpu.py
${HEAD}
__all__ = ["resize"]
__all__ += ("resize",)
@Endpoint(name="resize")
                ^^^^^^ here
def resize(image): ...
LABEL = "resize"
`,
      async (session) => {
        const edit = await renameAt(session, 'shrink');
        assert.equal(
          applied(session, edit, 'maybe')['gpu.py'],
          session.files['gpu.py']!.replace(/(name|LABEL)( ?= ?)"resize"/g, '$1$2"shrink"'),
        );
      },
    ));

  it('writes the name into the declaration when its constant is also used in another name', () =>
    open(
      `
=== api.py
${HEAD}
BASE = "web"
one = Endpoint(name=BASE)
@one.get("/a")
def a(): ...
two = Endpoint(name=BASE + "-two")
@two.get("/a")
def b(): ...
three = Endpoint("web")
                  ^ here
@three.get("/c")
def c(): ...
`,
      async (session) => {
        const files = applied(session, await renameAt(session, 'shop'));
        assert.equal(
          files['api.py'],
          session.files['api.py']!.replace('Endpoint(name=BASE)', 'Endpoint(name="shop")').replace(
            'Endpoint("web")',
            'Endpoint("shop")',
          ),
        );
      },
    ));

  it('renames a name of pyproject.toml, and offers other strings with the name', () =>
    open(
      `
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "native"
         ^ here
command = ["./native"]
[tool.other]
deploys = ["native", 'native', "native-two"]
=== caller.py
NATIVE = "native"
`,
      async (session) => {
        const edit = await renameAt(session, 'own');
        assert.deepEqual(applied(session, edit), {
          ...session.files,
          'pyproject.toml': session.files['pyproject.toml']!.replace('name = "native"', 'name = "own"'),
        });
        const all = applied(session, edit, 'maybe');
        assert.match(all['pyproject.toml']!, /deploys = \["own", 'own', "native-two"\]/);
        assert.equal(all['caller.py'], 'NATIVE = "own"\n');
      },
    ));

  it("changes only the document's project", () =>
    open(
      `
=== one/pyproject.toml
[tool.toolkit]
=== one/gpu.py
${HEAD}
@Endpoint(name="gpu")
                ^ here
def resize(image): ...
=== two/pyproject.toml
[tool.toolkit]
=== two/gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(image): ...
`,
      async (session) => {
        const files = applied(session, await renameAt(session, 'big'), 'maybe');
        assert.match(files['one/gpu.py']!, /name="big"/);
        assert.equal(files['two/gpu.py'], session.files['two/gpu.py']);
      },
    ));

  const REFUSED: [title: string, newName: string, reason: RegExp, after: string][] = [
    ['a name that is invalid in Python', 'a-b', /"a-b" is not a valid Python name/, ''],
    ['a keyword of Python', 'class', /"class" is not a valid Python name/, ''],
    [
      'a name that the module has',
      'load',
      /"load" already means something else in gpu\.py:4,/,
      'def load(): ...',
    ],
    [
      'a name that a local variable would hide',
      'value',
      /something else in gpu\.py:4,/,
      'def f(value): return resize()',
    ],
    ['a name that an inner use would lose', 'print', /something else in gpu\.py:4,/, 'def f(): print(1)'],
    ['a name of a comprehension around a use', 'x', /something else in gpu\.py:4,/, '[resize() for x in ()]'],
  ];
  for (const [title, newName, reason, after] of REFUSED) {
    it(`refuses ${title}`, () =>
      open(
        `=== gpu.py\n${HEAD}\n@Endpoint(name="gpu")\ndef resize(): ...\n    ^ here\n${after}\n`,
        (session) => assert.rejects(renameAt(session, newName), reason),
      ));
  }

  const API = `=== a.py\n${HEAD}\napi = Endpoint(name="n")\n^^^ here\n`;
  const REFUSED_ELSEWHERE: [title: string, newName: string, reason: RegExp, others: string][] = [
    [
      'a name that a star import skips',
      '_api',
      /The star import in b\.py:1 would skip "_api"/,
      `=== b.py\nfrom a import *\n@api.get("/x")\ndef x(): ...\n`,
    ],
    [
      'a name that a star import skips in an intermediate module',
      '_api',
      /The star import in pkg\/__init__\.py:1 would skip "_api"/,
      '=== pkg/__init__.py\nfrom a import *\n=== c.py\nfrom pkg import api\n',
    ],
    [
      'a name that another star import provides',
      'helper',
      /"helper" already means something else in b\.py:3,/,
      '=== b.py\nfrom a import *\nfrom other import *\ndef f(): return helper(), api\n=== other.py\ndef helper(): ...\n',
    ],
    [
      'a name that another star import provides and nothing uses',
      'helper',
      /"helper" already means something else in b\.py:2,/,
      '=== b.py\nfrom a import *\nfrom other import *\nprint(api)\n=== other.py\ndef helper(): ...\n',
    ],
    [
      'a builtin that a file with a star import uses',
      'print',
      /"print" already means something else in b\.py:2,/,
      '=== b.py\nfrom a import *\nprint(api)\n',
    ],
    [
      'a builtin used by a file that imports the renamed name without using it',
      'print',
      /"print" already means something else in b\.py:2,/,
      '=== b.py\nfrom a import *\nprint(1)\n',
    ],
    [
      'the name of a submodule',
      'core',
      /pkg\/__init__\.py cannot use the name "core": pkg\/core\.py is a submodule with that name/,
      '=== pkg/__init__.py\nfrom a import api\n=== pkg/core.py\n',
    ],
    [
      'a name that Python mangles in a class',
      '__api',
      /Inside a class, Python replaces "__api" with a mangled name, as in b\.py:4/,
      '=== b.py\nfrom a import api\nclass K:\n    def f(self):\n        return api\n',
    ],
    [
      'a name that Python mangles in a class, after a dot',
      '__api',
      /Inside a class, Python replaces "__api" with a mangled name, as in b\.py:3/,
      '=== b.py\nimport a\nclass K:\n    api = a.api\n',
    ],
  ];
  for (const [title, newName, reason, others] of REFUSED_ELSEWHERE) {
    it(`refuses ${title}`, () =>
      open(API + others, (session) => assert.rejects(renameAt(session, newName), reason)));
  }

  const TAKEN: [title: string, newName: string, others: string][] = [
    [
      'begins with "_" when __all__ exports it to star imports',
      '_api',
      '=== b.py\nfrom mid import *\nprint(api)\n=== mid.py\nfrom a import api\n__all__ = ["api"]\n',
    ],
    ['begins with "_" when no use needs the star import', '_api', '=== b.py\nfrom a import *\n'],
    [
      'begins with "__" and is not used in a class',
      '__api',
      '=== b.py\nfrom a import api\n@api.get("/")\nclass K: ...\n',
    ],
    ['begins and ends with "__"', '__api__', '=== b.py\nfrom a import api\nclass K:\n    x = api\n'],
    ['is a module elsewhere', 'core', '=== pkg/__init__.py\nimport a\na.api\n=== pkg/core.py\n'],
  ];
  for (const [title, newName, others] of TAKEN) {
    it(`accepts a name that ${title}`, () =>
      open(API + others, async (session) => {
        const files = applied(session, await renameAt(session, newName));
        for (const [file, text] of Object.entries(session.files))
          assert.equal(files[file], text.replace(/\bapi\b/g, newName));
      }));
  }

  it('offers the uses in a file whose import is broken', () =>
    open(`${API}=== b.py\nfrom a import (api\n@api.get("/y")\ndef y(): return api\n`, async (session) => {
      const edit = await renameAt(session, 'web');
      assert.equal(applied(session, edit)['b.py'], session.files['b.py']);
      const files = applied(session, edit, 'maybe');
      assert.equal(files['b.py'], session.files['b.py']!.replace(/\bapi\b/g, 'web'));
    }));

  it('accepts a name that has another meaning elsewhere', () =>
    open(
      `
=== gpu.py
${HEAD}
@Endpoint(name="gpu")
def resize(): ...
    ^ here
def f(value): return value.load
def g(): return [value for value in ()]
=== other.py
value = 1
`,
      async (session) => {
        const files = applied(session, await renameAt(session, 'value'));
        assert.equal(files['gpu.py'], session.files['gpu.py']!.replace('resize', 'value'));
      },
    ));

  it('refuses a search result in a text that has been edited since', async () => {
    // In this process: over stdio, the order in which the server takes two messages is unknown.
    const text = `${HEAD}\n@Endpoint(name="gpu")\ndef resize(image): ...\n`;
    const project = await openProject({ 'gpu.py': text });
    let version = 1;
    project.open('gpu.py', text);
    const context: DocumentContext = {
      project: project.view(),
      document: { uri: 'file:///gpu.py', file: 'gpu.py' },
      client: { capabilities: {}, commands: new Set(), deployed: {}, environment: null, dev: null },
      uriOf: (file) => `file:///${file}`,
      versionOf: () => version,
      signal: new AbortController().signal,
    };
    const renamed = rename(context, {
      textDocument: context.document,
      position: { line: 2, character: 5 },
      newName: 'shrink',
    });
    const start = { line: 0, character: 0 };
    project.change('gpu.py', [{ range: { start, end: start }, text: '\n' }]);
    version += 1;
    await assert.rejects(renamed, /gpu\.py was edited during the rename/);
  });

  it('makes only certain edits in editors that cannot ask', async () => {
    const files = { 'gpu.py': `${HEAD}\n@Endpoint()\ndef resize(): ...\nTEXT = "resize"\n` };
    const root = writeProject(files);
    const client = await LanguageClient.start({ folders: [root], capabilities: {} });
    const uri = uriOf(root, 'gpu.py');
    await client.open(uri, files['gpu.py']);
    const position = { line: 2, character: 5 };
    const edit = await client.request('textDocument/rename', {
      textDocument: { uri },
      position,
      newName: 'shrink',
    });
    const range = { start: { line: 2, character: 4 }, end: { line: 2, character: 10 } };
    assert.deepEqual(edit, { changes: { [uri]: [{ range, newText: 'shrink' }] } });
    await client.stop();
  });

  it('refuses names that no endpoint can have, or that another one has', () =>
    open(
      `
=== gpu.py
${HEAD}
@Endpoint(name="gpu")
                ^ here
def resize(image): ...
@Endpoint()
def other(image): ...
`,
      async (session) => {
        await assert.rejects(renameAt(session, 'not a name'), /"not a name" is not a valid endpoint name/);
        await assert.rejects(
          renameAt(session, 'live-one'),
          /names that begin with "live-" are reserved for toolkit dev/,
        );
        await assert.rejects(
          renameAt(session, 'other'),
          /gpu\.py:5 already declares an endpoint with this name/,
        );
      },
    ));

  it('refuses to rename a function whose endpoint would then collide or could not be called', () =>
    open(
      `
=== gpu.py
${HEAD}
@Endpoint()
def resize(image): ...
    ^^^^^^ here
@Endpoint(name="big")
def other(image): ...
`,
      async (session) => {
        await assert.rejects(
          renameAt(session, 'big'),
          /gpu\.py:4 already declares an endpoint with this name/,
        );
        await assert.rejects(
          renameAt(session, '_resize'),
          /"_resize" is not a valid endpoint name.* name="resize"/,
        );
      },
    ));
});

describe('textDocument/prepareRename', () => {
  const open = markedSessions();

  it('shows what would be renamed, without quotes, and nothing at other symbols', () =>
    open(
      `
=== gpu.py
${HEAD}
     ^^^^^^^^^^^ nothing
import os
       ^^ nothing
@Endpoint(name="gpu-one")
                ^^^^^^^ gpu-one
def resize(image): return image
    ^^^^^^ resize
                          ^^^^^ nothing
`,
      async (session) => {
        for (const mark of session.marks) {
          const found = await session.client.request('textDocument/prepareRename', session.at(mark));
          const { range, label } = mark;
          assert.deepEqual(found, label === 'nothing' ? null : { range, placeholder: label });
        }
      },
    ));
});
