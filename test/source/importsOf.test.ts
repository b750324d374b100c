import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { ResolvedImport } from '../../runtime/source/reading.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { writeProject } from './checkProject.ts';

function describeImport({ module, names, file, scope }: ResolvedImport): string {
  const place = scope.kind === 'function' ? scope.function : 'module';
  return `${place}: ${module} ${names ? `(${names.join(', ')})` : 'whole'} -> ${file ?? 'none'}`;
}

/** Title, files, the requested file, its imports. */
const CASES: [title: string, files: Record<string, string>, file: string, imports: string[]][] = [
  [
    'resolves absolute and relative imports, packages and modules',
    {
      'pkg/__init__.py': '',
      'pkg/sub/__init__.py': '',
      'pkg/sub/mod.py':
        'import os, pkg.other as o\nfrom . import near\nfrom ..other import *\nfrom .. import sub\nfrom pkg import sub as s\nfrom .... import far\nimport third.party\n',
      'pkg/sub/near.py': '',
      'pkg/other.py': '',
    },
    'pkg/sub/mod.py',
    [
      'module: os whole -> none',
      'module: pkg.other whole -> pkg/other.py',
      'module: pkg.sub (near) -> pkg/sub/__init__.py',
      'module: pkg.other (*) -> pkg/other.py',
      'module: pkg (sub) -> pkg/__init__.py',
      'module: pkg (sub) -> pkg/__init__.py',
      'module:  (far) -> none',
      'module: third.party whole -> none',
    ],
  ],
  [
    'names the function around an import, and finds imports in any block',
    {
      'a.py':
        'for x in y:\n    import one\nmatch x:\n    case 1:\n        import two\ndef outer():\n    import three\n    def inner():\n        import four\nclass C:\n    import five\n    def method(self):\n        while True:\n            import six\n',
      'one.py': '',
    },
    'a.py',
    [
      'module: one whole -> one.py',
      'module: two whole -> none',
      'outer: three whole -> none',
      'outer.inner: four whole -> none',
      'module: five whole -> none',
      'C.method: six whole -> none',
    ],
  ],
  [
    'skips imports that no worker runs',
    {
      'a.py':
        'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import one\nelse:\n    import two\nif __name__ == "__main__":\n    import three\ntry:\n    import four\nexcept ImportError:\n    import five\n',
    },
    'a.py',
    [
      'module: typing (TYPE_CHECKING) -> none',
      'module: two whole -> none',
      'module: four whole -> none',
      'module: five whole -> none',
    ],
  ],
  [
    'finds packages under src and modules next to the file, the standard library first',
    {
      'src/pkg/a.py': 'import pkg.b\nimport b\nimport types\n',
      'src/pkg/b.py': '',
      'src/pkg/types.py': '',
      'src/pkg/__init__.py': '',
    },
    'src/pkg/a.py',
    ['module: pkg.b whole -> src/pkg/b.py', 'module: b whole -> src/pkg/b.py', 'module: types whole -> none'],
  ],
];

describe('imports of a file', () => {
  for (const [title, files, file, imports] of CASES) {
    it(title, async () => {
      const reading = await readProject({ root: writeProject(files) });
      assert.deepEqual((await reading.importsOf(file)).map(describeImport), imports);
    });
  }

  it('refuses a file that is not part of the project', async () => {
    const reading = await readProject({ root: writeProject({ 'a.py': '' }) });
    await assert.rejects(reading.importsOf('b.py'), { code: 'PROJECT_NOT_FOUND' });
  });

  it('reports invalid bytes of a file', async () => {
    const root = writeProject({ 'a.py': '' });
    writeFileSync(path.join(root, 'a.py'), Buffer.from('# ok\nNAME = "\xe9"\n', 'latin1'));
    await assert.rejects((await readProject({ root })).importsOf('a.py'), {
      code: 'PROJECT_HAS_ERRORS',
      message: 'a.py:2:1: This file is not valid UTF-8.',
    });
  });
});
