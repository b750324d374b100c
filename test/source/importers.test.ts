/** Files that never mention `toolkit_sdk` but add to an instance of another file: none is lost silently. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { Importers } from '../../runtime/source/discovery/Importers.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import { countedFindings, writeProject } from './checkProject.ts';
import { openProject } from './liveProject.ts';

const API = 'from toolkit_sdk import Endpoint\napi = Endpoint("api")\n@api.get("/own")\ndef own(): ...\n';

/** Ways to import the instance and add a route: title, files next to `lb.py`. */
const SERVED: [string, Record<string, string>][] = [
  ['a plain import', { 'a.py': 'from lb import api\n@api.get("/more")\ndef more(): ...\n' }],
  [
    'an import, in a file that mentions Endpoint in a comment',
    { 'a.py': '# Endpoint routes\nfrom lb import api\n@api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'an import, in a file with an Endpoint of another package',
    { 'a.py': 'from other import Endpoint\nfrom lb import api\n@api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'another name, with unusual spaces',
    { 'a.py': 'from lb import api as service\n@ service . get ( "/more")\ndef more(): ...\n' },
  ],
  [
    'an import over several lines, with comments',
    { 'a.py': 'from lb import (\n  other,  # (not this)\n  api,\n)\n@api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'an import with backslashes',
    { 'a.py': 'from lb \\\n  import \\\n  api\n@api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'an import after another statement in its line',
    { 'a.py': 'x = 1; from lb import api\n@api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'an import in a try block',
    { 'a.py': 'try: from lb import api\nfinally: pass\n@api.get("/more")\ndef more(): ...\n' },
  ],
  ['the module', { 'a.py': 'import lb\n@lb.api.get("/more")\ndef more(): ...\n' }],
  [
    'the module under another name, after others',
    { 'a.py': 'import os, lb as routes\n@routes.api.get("/more")\ndef more(): ...\n' },
  ],
  ['a star import', { 'a.py': 'from lb import *\n@api.get("/more")\ndef more(): ...\n' }],
  [
    'a chain of re-exports',
    {
      'one.py': 'from lb import api as first\n',
      'two/__init__.py': 'from one import *\n',
      'a.py': 'from two import first\n@first.get("/more")\ndef more(): ...\n',
    },
  ],
  [
    'a re-export by a file that uses toolkit_sdk',
    {
      'one.py': 'import toolkit_sdk\nfrom lb import api as first\n',
      'a.py': 'from one import first\n@first.get("/more")\ndef more(): ...\n',
    },
  ],
  [
    'a module that another module imports',
    { 'one.py': 'import lb\n', 'a.py': 'from one import lb\n@lb.api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'another name that an intermediate module gives it',
    {
      'one.py': 'from lb import api\nservice = api\n',
      'a.py': 'import one\n@one.service.get("/more")\ndef more(): ...\n',
    },
  ],
  [
    'a file with a byte order mark',
    { 'a.py': '\ufefffrom lb import api\n@api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'an import in a file with carriage returns as line ends',
    { 'a.py': 'from lb import api\r@api.get("/more")\rdef more(): ...\r' },
  ],
  [
    'an import with a bracket in a comment',
    { 'a.py': 'from lb import (\n  other,  # (not this)\n  api,\n)\n@api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'an import without spaces',
    { 'p/lb.py': '', 'a.py': 'import os,lb\n@lb.api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'the module after a backslash',
    { 'a.py': 'import os, \\\n    lb\n@lb.api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'the module after a byte order mark',
    { 'a.py': '\ufeffimport lb\n@lb.api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'an intermediate module, under another name',
    {
      'one.py': 'import lb as routes\n',
      'a.py': 'from one import routes\n@routes.api.get("/more")\ndef more(): ...\n',
    },
  ],
  [
    'a module that is an attribute of a module',
    { 'one.py': 'import lb\n', 'a.py': 'import one\n@one.lb.api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'a module from a star import',
    { 'one.py': 'import lb\n', 'a.py': 'from one import *\n@lb.api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'a module that is assigned to another name',
    { 'one.py': 'import lb\nm = lb\n', 'a.py': 'from one import m\n@m.api.get("/more")\ndef more(): ...\n' },
  ],
  [
    'a class that contains another name for it',
    {
      'one.py': 'from lb import api\nclass Held:\n    service = api\n',
      'a.py': 'from one import Held\n@Held.service.get("/more")\ndef more(): ...\n',
    },
  ],
  [
    'a re-export with the new name in another line',
    {
      'one.py': 'from lb import (\n    api  # the service\n    as service,\n)\n',
      'a.py': 'from one import service\n@service.get("/more")\ndef more(): ...\n',
    },
  ],
  [
    'a name in full-width letters',
    { 'a.py': 'from lb import ａｐｉ\n@ａｐｉ.get("/more")\ndef more(): ...\n' },
  ],
];

async function routesOf(files: Record<string, string | Uint8Array>): Promise<string[]> {
  const { endpoints } = await readProject({ root: writeProject(files), env: {} });
  return endpoints.flatMap(({ routes }) => routes.map((route) => `${route.path} ${route.module}`)).toSorted();
}

describe('an instance in another file', () => {
  for (const [title, files] of SERVED) {
    it(`gets the route of a file with ${title}`, async () => {
      assert.deepEqual(await routesOf({ 'lb.py': API, ...files }), ['/more a', '/own lb']);
    });
  }

  it('gets routes through packages, relative imports and the src layout', async () => {
    const more = (name: string) => `def ${name}(): ...\n`;
    assert.deepEqual(
      await routesOf({
        'src/app/core/lb.py': API,
        'src/app/core/__init__.py': 'from .lb import api\n',
        'src/app/core/in_core.py': `from . import api\n@api.get("/1")\n${more('one')}`,
        'src/app/above.py': `from .core.lb import api\n@api.get("/2")\n${more('two')}`,
        'src/app/deep/er/down.py': `from ...core import lb\n@lb.api.get("/3")\n${more('three')}`,
        'src/app/whole.py': `import app.core.lb\n@app.core.lb.api.get("/4")\n${more('four')}`,
        'src/app/part.py': `import app.core\n@app.core.api.get("/5")\n${more('five')}`,
        'main.py': `from app.core import (lb)\n@lb.api.get("/6")\n${more('six')}`,
      }),
      [
        '/1 src.app.core.in_core',
        '/2 src.app.above',
        '/3 src.app.deep.er.down',
        '/4 src.app.whole',
        '/5 src.app.part',
        '/6 main',
        '/own src.app.core.lb',
      ],
    );
  });

  it('gets the route of a file with a class name, or with a letter outside ASCII', async () => {
    const files = {
      'größen.py': `${API}class Holder:\n    dienst = Endpoint("held")\nübung = api\n`,
      'a.py': 'from größen import übung\n@übung.get("/a")\ndef a(): ...\n',
      'b.py': 'from größen import Holder\n@Holder.dienst.get("/b")\ndef b(): ...\n',
    };
    assert.deepEqual(await routesOf(files), ['/a a', '/b b', '/own größen']);
  });

  it('gets the routes of files with relative imports with and without spaces, and with star imports of a package', async () => {
    const more = (name: string) => `def ${name}(): ...\n`;
    assert.deepEqual(
      await routesOf({
        'p/__init__.py': '',
        'p/lb.py': API,
        'p/one.py': `from.lb import api\n@api.get("/1")\n${more('one')}`,
        'p/two.py': `from.import lb\n@lb.api.get("/2")\n${more('two')}`,
        'p/three.py': `from . lb import api\n@api.get("/3")\n${more('three')}`,
        'four.py': `from p . lb import api\n@api.get("/4")\n${more('four')}`,
        'q/__init__.py': '__all__ = ["lb"]\n',
        'q/lb.py': 'from p.lb import api\n',
        'five.py': `from q import *\n@lb.api.get("/5")\n${more('five')}`,
      }),
      ['/1 p.one', '/2 p.two', '/3 p.three', '/4 four', '/5 five', '/own p.lb'],
    );
  });

  it('gets the route of a file in another encoding', async () => {
    const text = '# -*- coding: latin-1 -*-\nfrom größe import api\n@api.get("/more")\ndef more(): ...\n';
    const files = { 'größe.py': API, 'a.py': Buffer.from(text, 'latin1') };
    assert.deepEqual(await routesOf(files), ['/more a', '/own größe']);
  });

  it('gets no route through a name that another statement rebinds', async () => {
    const files = {
      'lb.py': `${API}api = Router()\n@api.get("/other")\ndef other(): ...\n`,
      'a.py':
        'from lb2 import api\n@api.get("/a")\ndef a(): ...\nfrom w import web as api\n@api.get("/b")\ndef b(): ...\n',
      'lb2.py': API.replace('"api"', '"two"'),
    };
    assert.deepEqual(await routesOf(files), ['/a a', '/own lb', '/own lb2']);
  });

  it('gets the route below a branch that no worker runs', async () => {
    const files = {
      'lb.py': API,
      'lb2.py': API.replace('"api"', '"two"'),
      'a.py':
        'import sys\nfrom lb import api\nif sys.platform == "win32":\n    from lb2 import api\n@api.get("/more")\ndef more(): ...\n',
    };
    assert.deepEqual(await routesOf(files), ['/more a', '/own lb', '/own lb2']);
  });

  it('is reported as a syntax error while its import is not closed', async () => {
    const files = {
      'lb.py': API,
      'a.py': 'from lb import (api,\n@api.get("/more")\ndef more():\n    pass\n',
    };
    const { diagnostics } = await readProject({ root: writeProject(files), env: {} });
    assert.ok(diagnostics.some(({ file, code }) => file === 'a.py' && code === 'syntax-error'));
  });

  it('is found in a line of 40,000 imports', async () => {
    const long = `${'import x;'.repeat(40_000)}from lb import api\n@api.get("/more")\ndef more(): ...\n`;
    assert.deepEqual(await routesOf({ 'lb.py': API, 'a.py': long }), ['/more a', '/own lb']);
  });

  it('gets the route of a file from a module that hides a standard one, also one created later', async () => {
    const a = 'from calendar import api\n@api.get("/more")\ndef more(): ...\n';
    assert.deepEqual(await routesOf({ 'calendar.py': API, 'a.py': a }), ['/more a', '/own calendar']);
    const project = await openProject({ 'a.py': a });
    writeFileSync(path.join(project.root, 'calendar.py'), API);
    runSteps(project.refresh(['calendar.py']));
    runSteps(project.update());
    assert.equal(project.reading().endpoints[0]?.routes.length, 2);
  });

  for (const list of [
    '(\n    other,  # (legacy)\n    Endpoint,\n)',
    'other, \\\n    Endpoint',
    '\\\n    Endpoint',
  ]) {
    it(`and the class itself are found through the import ${JSON.stringify(list)}`, async () => {
      const files = {
        'h.py': 'from toolkit_sdk import Endpoint\nother = 1\n',
        'a.py': `from h import ${list}\n@Endpoint("q")\ndef f(x: str): ...\n`,
      };
      const { endpoints } = await readProject({ root: writeProject(files), env: {} });
      assert.deepEqual(
        endpoints.map(({ name }) => name),
        ['q'],
      );
    });
  }

  for (const [title, text, finding] of [
    ['passes it on', 'from lb import api\nregister(api)\n', 'a.py:2 endpoint-as-value'],
    [
      'adds a route by a call',
      'from lb import api\ndef f(): ...\napi.post("/x")(f)\n',
      'a.py:3 unsupported-form',
    ],
  ] as const) {
    it(`is reported as lost in a file that ${title}`, async () => {
      const reading = await readProject({ root: writeProject({ 'lb.py': API, 'a.py': text }), env: {} });
      const found = countedFindings(reading).map(
        ({ file, range, code }) => `${file}:${range.start.line + 1} ${code}`,
      );
      assert.ok(found.includes(finding), found.join('\n'));
    });
  }
});

describe('a file that no longer imports a module', () => {
  it('is not searched for its names any more, though it still contains them', () => {
    const importers = new Importers();
    const filesOf = () =>
      runSteps(
        importers.of(
          ['lb'],
          new Set(['api']),
          () => true,
          () => '# api\n',
        ),
      );
    importers.set('a.py', ['lb']);
    assert.deepEqual(filesOf(), new Set(['a.py']));
    importers.set('a.py', []);
    assert.deepEqual(filesOf(), new Set());
  });
});
