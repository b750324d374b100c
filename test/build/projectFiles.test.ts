/** The project's files in an artifact. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { app } from './exampleApp.ts';
import { listArchive, makeProject, queueWorker, readArchived } from './projects.ts';

describe('the files of the project in an artifact', () => {
  test('are reported if .toolkitignore adds secret ones', async () => {
    const project = makeProject({
      'worker.py': queueWorker('one'),
      '.toolkitignore': '!public.pem\n!.aws\n',
      'public.pem': '',
      '.aws/config': '',
    });
    const { artifact, events } = await project.build();
    assert.ok(listArchive(artifact).includes('public.pem'));
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(warnings, [
      '.toolkitignore re-includes files that are never part of the artifact by default, so it contains them: .aws/config, public.pem.',
    ]);
  });

  test('are refused if a name is not valid UTF-8', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    writeFileSync(Buffer.concat([Buffer.from(`${project.root}/bad`), Buffer.from([0xff])]), '');
    await assert.rejects(project.build(), {
      code: 'PROJECT_HAS_ERRORS',
      message: 'bad\uFFFD is part of the artifact, but cannot be read.',
      hint: 'Rename it: its name is not valid UTF-8.',
    });
  });

  test("never include secrets, virtual environments, version control or the toolkit's own files", async () => {
    const project = app();
    const secrets = [
      '.env',
      '.env.local',
      'prod.env',
      'my.pem',
      'a.key',
      'id_rsa',
      'credentials.json',
      '.netrc',
      '.npmrc',
      '.pypirc',
    ];
    for (const name of secrets) project.write({ [name]: 'canary', [`sub/${name}`]: 'canary' });
    project.write({
      '.ssh/config': 'canary',
      '.aws/credentials': 'canary',
      '.git/config': 'canary',
      'old/pyvenv.cfg': '',
    });
    project.write({
      'old/lib/site.py': 'canary',
      '__pycache__/a.pyc': 'canary',
      '_toolkit/handlers/x.py': 'canary',
    });
    const built = await project.build();
    const again = await project.build();
    const shipped = listArchive(again.artifact).filter(
      (name) => !name.startsWith('_toolkit/') && !name.startsWith('toolkit_sdk/'),
    );
    assert.deepEqual(shipped.sort(), [
      'data/words.txt',
      'gpu_worker.py',
      'pyproject.toml',
      'requirements.txt',
      'text_api.py',
      'toolkit_manifest.json',
    ]);
    const raw = readFileSync(built.artifact);
    for (const name of listArchive(built.artifact))
      assert.ok(!readArchived(built.artifact, name).includes('canary'), name);
    assert.ok(!raw.includes(project.root), 'no path');
  });

  for (const taken of ['toolkit_manifest.json', 'toolkit_manifest.json/x.txt', '_toolkit', 'toolkit_sdk'])
    test(`are refused at ${taken}, where the build itself writes`, async () => {
      const project = makeProject({ 'worker.py': queueWorker('one'), [taken]: '{}' });
      await assert.rejects(project.build(), {
        code: 'SHIPPED_NAME_CLASH',
        message: `${taken} cannot be part of the artifact: this path is reserved for files that the build creates.`,
      });
    });

  test('do not include an earlier artifact that --output left in the project', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const output = path.join(project.root, 'app.tar.gz');
    const first = await project.build({ output });
    const again = await project.build({ output });
    assert.equal(again.sha256, first.sha256);
    assert.ok(!listArchive(output).includes('app.tar.gz'));
  });
});
