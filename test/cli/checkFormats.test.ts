/** Output of `check` for programs that annotate code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as z from 'zod';
import { workbench } from '../setup/toolkit.ts';

const schema = JSON.parse(
  readFileSync(
    new URL(import.meta.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')),
    'utf8',
  ),
  // zod applies the rules of absolute addresses to relative references.
  (name, value: unknown) => (name === 'format' && value === 'uri-reference' ? undefined : value),
);
const sarif = z.fromJSONSchema(schema);

const bad = `from toolkit_sdk import Endpoint


@Endpoint(name="w", cpu="cpu5-4")
def w():
    return 1
`;

interface Result {
  ruleId: string;
  level: string;
  message: { text: string };
  locations: { physicalLocation: { artifactLocation: { uri: string }; region: Record<string, number> } }[];
}

describe('toolkit check --format', () => {
  const bench = workbench({ after });
  let project: string;

  before(() => {
    project = bench.project('bad', {
      'pyproject.toml': '',
      'my worker.py': bad,
      'other.py': bad.replace('cpu5-4', 'cpu3c-1-2'),
    });
  });

  const check = (...args: string[]) => bench.toolkit(project, ['check', ...args]);

  it('sarif is valid by the schema of SARIF 2.1.0, with one-based positions', async () => {
    const ran = await check('--format', 'sarif');
    assert.equal(ran.code, 1);
    const log = ran.json<{ runs: { results: Result[]; tool: { driver: { rules: { id: string }[] } } }[] }>();
    sarif.parse(log);
    const [run] = log.runs;
    const found = run!.results.find(({ ruleId }) => ruleId === 'invalid-cpu')!;
    assert.equal(found.level, 'error');
    const { artifactLocation, region } = found.locations[0]!.physicalLocation;
    assert.equal(artifactLocation.uri, 'my%20worker.py');
    assert.deepEqual(region, { startLine: 4, startColumn: 25, endLine: 4, endColumn: 33 });
    for (const { ruleId } of run!.results)
      assert.ok(
        run!.tool.driver.rules.some(({ id }) => id === ruleId),
        ruleId,
      );
  });

  it('sarif of a project without findings is valid too, and exits 0', async () => {
    const clean = bench.project('clean', {
      'pyproject.toml': '',
      'w.py': bad.replace('cpu5-4', 'cpu3c-1-2').replace('    return', '    """W."""\n    return'),
    });
    const ran = await bench.toolkit(clean, ['check', '--format', 'sarif']);
    assert.equal(ran.code, 0, ran.stdout);
    sarif.parse(ran.json());
  });

  it('the schema refuses a document that is not SARIF', () => {
    assert.equal(sarif.safeParse({ version: '2.1.0', runs: [{ tool: {}, results: [] }] }).success, false);
  });

  it('github writes one escaped workflow command per finding, relative to the root of the repository', async () => {
    const ran = await bench.toolkit(project, ['check', '--format', 'github'], {
      env: { GITHUB_WORKSPACE: path.dirname(project) },
    });
    assert.equal(ran.code, 1);
    const lines = ran.stdout.trim().split('\n');
    const found = lines.find((line) => line.includes('invalid-cpu'))!;
    assert.match(
      found,
      /^::error file=bad\/my worker\.py,line=4,endLine=4,col=25,endColumn=33,title=toolkit%3A invalid-cpu::/,
    );
    for (const line of lines) assert.match(line, /^::(error|warning|notice) file=[^:]+::./);
  });
});
