/** What dev builds of a project whose files change at any moment. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { DevProject } from '../../runtime/dev/DevProject.ts';
import { cleanEnvironment, workbench } from '../setup/toolkit.ts';

const worker = (name: string, body: string) =>
  `from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="${name}", cpu="cpu3c-1-2")\ndef ${name}():\n    ${body}\n`;

/** Opens a project like `toolkit dev`. Its first reading is complete. */
async function open(files: Record<string, string>) {
  const bench = workbench({ after });
  const root = bench.project('app', { 'pyproject.toml': '', ...files });
  const workDir = path.join(bench.folder, 'parts');
  mkdirSync(workDir);
  const { signal } = new AbortController();
  const project = await DevProject.open({
    root,
    toolkitHome: bench.home,
    env: cleanEnvironment(),
    workDir,
    report: () => {},
    signal,
  });
  const read = (places: string[]) => project.read(places, new Set(), signal);
  const write = (file: string, text: string) => writeFileSync(path.join(root, file), text);
  assert.deepEqual(names(await read([])), ['one', 'two']);
  return { project, read, write };
}

const names = ({ app }: Awaited<ReturnType<DevProject['read']>>) => app.map(({ name }) => name).sort();

it('reads what a build packs: saves that are not reported yet, and files written in place', async () => {
  const { project, read, write } = await open({
    'one.py': worker('one', 'return 1'),
    'two.py': worker('two', 'import helper\n\n    return helper.VALUE'),
    'helper.py': 'VALUE = 1\n',
  });
  write('helper.py', 'VALUE = (\n');
  // Longer than clocks can differ.
  await sleep(50);
  write('one.py', worker('one', 'return 2'));
  const reading = await read(['one.py']);
  assert.deepEqual([names(reading), [...reading.faults.keys()]], [['one'], ['two']]);

  write('one.py', '');
  const whileEmpty = read(['one.py']);
  setTimeout(() => write('one.py', worker('one', 'return 3')), 30);
  assert.deepEqual(names(await whileEmpty), ['one']);
  await project.close();
});

it('keeps the last good version of a file that was read while it was empty, and then has a mistake', async () => {
  const { project, read, write } = await open({
    'one.py': worker('one', 'return 1'),
    'two.py': worker('two', 'return 2'),
  });
  write('one.py', '');
  const reading = read(['one.py']);
  while (project.declared.includes('one')) await immediate();
  write('one.py', 'def broken(:\n');
  const { faults, endpoints } = await reading;
  assert.deepEqual([...faults.keys()], ['one']);
  assert.deepEqual(endpoints.map(({ name }) => name).sort(), ['one', 'two']);
  await project.close();
});
