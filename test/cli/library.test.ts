/** Real Python that has nothing to do with the toolkit: no finding, no declaration, and no execution. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import type { CheckDocument, ListDocument } from '../../runtime/contract/cliDocuments.ts';
import { workbench } from '../setup/toolkit.ts';

const python = path.join(import.meta.dirname, '../../.venv/bin/python');

/** Only Python source files; compiled files and extension modules are not read. */
const sources = (source: string): boolean => !/__pycache__|\.(so|pyc|a|mo|po)$/.test(source);

it('an installed Python’s library has no diagnostics and no declarations, and is not executed', async (t) => {
  const bench = workbench(t);
  const marker = path.join(bench.folder, 'executed');
  const project = bench.project('elsewhere', {
    'pyproject.toml': '[project]\nname = "library"\n',
    'side_effect.py': `# toolkit_sdk Endpoint\nopen(${JSON.stringify(marker)}, "w").close()\nimport os\nos._exit(3)\n`,
  });
  const paths = execFileSync(
    python,
    ['-c', 'import sysconfig; p = sysconfig.get_path; print(p("stdlib")); print(p("purelib"))'],
    { encoding: 'utf8' },
  );
  const [library, packages] = paths.trim().split('\n') as [string, string];
  cpSync(library, path.join(project, 'lib'), {
    recursive: true,
    filter: (source) => sources(source) && !source.endsWith('site-packages'),
  });
  cpSync(packages, path.join(project, 'packages'), { recursive: true, filter: sources });

  const checked = await bench.toolkit(project, ['check', '--json']);
  const { diagnostics, summary } = checked.json<CheckDocument>();
  assert.deepEqual(diagnostics, []);
  assert.equal(summary.endpoints, 0);
  assert.ok(summary.files > 5_000, `${summary.files} files`);
  assert.equal(checked.code, 0);
  const listed = await bench.toolkit(project, ['list', '--json']);
  assert.deepEqual(listed.json<ListDocument>().endpoints, []);
  assert.equal(existsSync(marker), false);
});
