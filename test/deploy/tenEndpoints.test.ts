import assert from 'node:assert/strict';
import { appendFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';
import { HOME_FILES } from '../../runtime/contract/stateManager.ts';
import { workbench } from '../setup/toolkit.ts';
import { namesSince } from './platformLog.ts';

const names = Array.from({ length: 10 }, (_, index) => `worker${index}`);

function moduleText(name: string): string {
  return `from toolkit_sdk import Endpoint

@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, 1))
def ${name}() -> str:
    """Say who this is."""
    return "${name}"
`;
}

describe('a project of ten endpoints', () => {
  const bench = workbench({ after });

  it('replaces only the workers of the endpoint that was edited', async () => {
    const project = bench.project('ten', {
      'pyproject.toml': '[project]\nname = "ten"\n\n[tool.toolkit]\n',
      ...Object.fromEntries(names.map((name) => [`${name}.py`, moduleText(name)])),
    });
    const deploy = async (): Promise<DeployDocument['plan']> => {
      const ran = await bench.toolkit(project, ['deploy', '--json']);
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      return ran.json<DeployDocument>().plan;
    };
    const log = path.join(bench.home, HOME_FILES.platformLog);
    assert.deepEqual((await deploy()).create, names);
    assert.deepEqual(namesSince(log, 0, 'worker started'), names);

    const from = statSync(log).size;
    appendFileSync(path.join(project, 'worker7.py'), '\n# Edited.\n');
    assert.deepEqual(await deploy(), {
      create: [],
      update: [{ name: 'worker7', reasons: ['code'] }],
      unchanged: names.filter((name) => name !== 'worker7'),
      remove: [],
    });
    assert.deepEqual(namesSince(log, from, 'worker started'), ['worker7']);
  });
});
