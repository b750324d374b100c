/** What dev builds of a project whose files change at any moment. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DevProject } from '../../runtime/dev/DevProject.ts';
import { cleanEnvironment, workbench } from '../setup/toolkit.ts';

const worker = (name: string, body: string) =>
  `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2")\ndef ${name}():\n    ${body}\n`;

it('reads what a build packs: saves that are not reported yet, and files written in place', async () => {
  const bench = workbench({ after });
  const root = bench.project('app', {
    'pyproject.toml': '',
    'one.py': worker('one', 'return 1'),
    'two.py': worker('two', 'import helper\n\n    return helper.VALUE'),
    'helper.py': 'VALUE = 1\n',
  });
  const workDir = path.join(bench.folder, 'parts');
  mkdirSync(workDir);
  const { signal } = new AbortController();
  const env = cleanEnvironment();
  const project = await DevProject.open({
    root,
    toolkitHome: bench.home,
    env,
    workDir,
    report: () => {},
    signal,
  });
  const names = ({ app }: Awaited<ReturnType<DevProject['read']>>) => app.map(({ name }) => name).sort();
  assert.deepEqual(names(await project.read([], new Set(), signal)), ['one', 'two']);
  writeFileSync(path.join(root, 'helper.py'), 'VALUE = (\n');
  // Longer than clocks can differ.
  await sleep(50);
  writeFileSync(path.join(root, 'one.py'), worker('one', 'return 2'));
  const reading = await project.read(['one.py'], new Set(), signal);
  assert.deepEqual([names(reading), [...reading.faults.keys()]], [['one'], ['two']]);

  writeFileSync(path.join(root, 'one.py'), '');
  const whileEmpty = project.read(['one.py'], new Set(), signal);
  setTimeout(() => writeFileSync(path.join(root, 'one.py'), worker('one', 'return 3')), 30);
  assert.deepEqual(names(await whileEmpty), ['one']);
  await project.close();
});
