/**
 * What one edit invalidates and what it keeps, by the identity of the objects in a snapshot; and what a
 * request sees before the next snapshot.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LiveProject } from '../../runtime/source/snapshot/LiveProject.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import { openProject } from './liveProject.ts';

const SDK = 'from toolkit_sdk import Endpoint\n';

/** A file with one endpoint without a description. */
const worker = (name: string, given = '') =>
  `${SDK}@Endpoint(name="${name}"${given})\ndef run():\n    return 1\n`;

const FILES = {
  'a.py': `${worker('a')}SIZE = 1\nOTHER = 2\n`,
  'b.py': worker('b'),
  'uses_a.py': `from a import SIZE\n${worker('uses-a', ', idle_timeout=SIZE')}`,
  'api.py': `${SDK}api = Endpoint(name="api")\n`,
  'routes.py': 'from api import api\n\n@api.get("/x")\ndef x():\n    """X."""\n',
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

type Held = Map<string, unknown>;

/** The objects of a snapshot for each file. */
function held(project: LiveProject): Held {
  runSteps(project.update());
  const { index } = project.view();
  return new Map(
    Object.keys(FILES).flatMap((file): [string, unknown][] => [
      [`${file} declares`, index.ofFile(file)],
      [`${file} is part of`, index.touching(file)],
      [`${file} findings`, project.findings.get(file)],
    ]),
  );
}

const changed = (before: Held, after: Held) =>
  [...after].filter(([what, value]) => before.get(what) !== value).map(([what]) => what);

async function opened(file: keyof typeof FILES) {
  const project = await openProject(FILES);
  project.open(file, FILES[file]);
  return { project, before: held(project) };
}

describe('one edit', () => {
  it('of a name changes only the objects of its own file', async () => {
    const { project, before } = await opened('b.py');
    project.change('b.py', [{ text: FILES['b.py'].replace('"b"', '"c"') }]);
    assert.deepEqual(changed(before, held(project)), ['b.py declares', 'b.py is part of']);
  });

  it('of a constant also changes those of the files that read it', async () => {
    const { project, before } = await opened('a.py');
    project.change('a.py', [{ text: FILES['a.py'].replace('SIZE = 1', 'SIZE = -1') }]);
    assert.deepEqual(changed(before, held(project)), [
      'a.py declares',
      'a.py is part of',
      'uses_a.py declares',
      'uses_a.py is part of',
      'uses_a.py findings',
    ]);
  });

  it('of another constant of the same file changes none of them', async () => {
    const { project, before } = await opened('a.py');
    project.change('a.py', [{ text: FILES['a.py'].replace('OTHER = 2', 'OTHER = 3') }]);
    assert.deepEqual(changed(before, held(project)), ['a.py declares', 'a.py is part of']);
  });

  it('that is reverted restores what was before', async () => {
    const { project } = await opened('b.py');
    project.change('b.py', [{ text: worker('b', ', workers=-1') }]);
    held(project);
    project.change('b.py', [{ text: FILES['b.py'] }]);
    runSteps(project.update());
    const fresh = await openProject(FILES);
    assert.deepEqual(project.diagnostics(), fresh.diagnostics());
  });
});

describe('twenty edits', () => {
  it('keep none of the indexes except the last one', async () => {
    const { project } = await opened('a.py');
    const indexes = Array.from({ length: 20 }, (_, at) => {
      project.change('a.py', [{ text: FILES['a.py'].replace('"a"', `"a-${at}"`) }]);
      project.findingsNow('a.py');
      runSteps(project.update());
      return new WeakRef(project.view().index);
    });
    // A WeakRef keeps its target until the end of the turn, and a collection can mistake a word on the stack
    // for a pointer.
    for (let round = 0; round < 5; round += 1) {
      await wait(1);
      collect();
    }
    const kept = indexes.filter((index) => index.deref());
    assert.ok(kept.length < 3, `${kept.length} of ${indexes.length} are still there`);
  });
});

describe('before the next snapshot is finished', () => {
  it('a request sees the current text of its own file, combined with other files', async () => {
    const { project } = await opened('api.py');
    project.change('api.py', [{ text: `import os\n\n${FILES['api.py'].replace('"api"', '"new"')}` }]);
    const { index } = project.view();
    const api = index.touching('routes.py')[0]!;
    assert.equal(api.name.state === 'known' && api.name.value, 'new');
    assert.equal(api.call.range.start.line, 3);
    assert.deepEqual(
      api.routes.map(({ file, method }) => `${file} ${method}`),
      ['routes.py GET'],
    );
    assert.equal(project.recomputations, 2);
  });

  it('findings that compare files use the current text', async () => {
    const { project } = await opened('b.py');
    project.change('b.py', [{ text: FILES['b.py'].replace('"b"', '"a"') }]);
    const codes = (file: string) => project.findingsNow(file).map(({ code }) => code);
    assert.deepEqual(codes('b.py'), ['duplicate-queue-name', 'missing-description']);
    assert.deepEqual(codes('a.py'), ['missing-description']);
    runSteps(project.update());
    assert.deepEqual(codes('a.py'), ['duplicate-queue-name', 'missing-description']);
  });
});
