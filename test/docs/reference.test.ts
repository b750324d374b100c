/** The reference pages match the program: arguments of Endpoint, commands, environment variables. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ENDPOINT_ARGUMENTS } from '../../docs/reference/endpointArguments.ts';
import { KNOWN_VARIABLES } from '../../docs/reference/environmentVariables.ts';
import { COMMANDS } from '../../runtime/cli/commands.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { writeProject } from '../source/checkProject.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** The errors for an argument with this value. */
async function errorsOf(keyword: string, value: string): Promise<string[]> {
  const text = [
    'import os',
    'from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup, GpuType',
    `@Endpoint(${keyword}=${value})`,
    'def score(text: str):',
    '    """Score a text."""',
  ].join('\n');
  const { diagnostics } = await readProject({ root: writeProject({ 'worker.py': text }), env: {} });
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

describe('docs/endpoint.md', () => {
  for (const [keyword, argument] of Object.entries(ENDPOINT_ARGUMENTS)) {
    it(`has a valid example of ${keyword}, and a range that excludes the invalid ones`, async () => {
      assert.deepEqual(await errorsOf(keyword, argument.example), []);
      assert.ok(argument.refused.length > 0);
      for (const value of argument.refused) {
        assert.notDeepEqual(await errorsOf(keyword, value), [], `${keyword}=${value}`);
      }
    });
  }

  it('has the arguments and defaults of the class', () => {
    const program = [
      'import inspect, json, sys',
      "sys.path.insert(0, 'runtime/python')",
      'from toolkit_sdk import Endpoint',
      'taken = inspect.signature(Endpoint.__init__).parameters.values()',
      'print(json.dumps({one.name: repr(one.default) for one in taken if one.name != "self"}))',
    ].join('\n');
    const output = execFileSync('python3', ['-c', program], { cwd: ROOT, encoding: 'utf8' });
    const defaults = JSON.parse(output) as Record<string, string>;
    assert.deepEqual(Object.keys(defaults), Object.keys(ENDPOINT_ARGUMENTS));
    for (const [keyword, value] of Object.entries(defaults)) {
      const { default: documented } = ENDPOINT_ARGUMENTS[keyword as keyof typeof ENDPOINT_ARGUMENTS];
      if (value !== 'None') assert.equal(documented.split(';')[0], value, keyword);
    }
  });
});

describe('docs/commands.md', () => {
  it('has every command and every flag that help shows', () => {
    const page = readFileSync(path.join(ROOT, 'docs/commands.md'), 'utf8');
    const all = COMMANDS.flatMap((spec) => spec.commands ?? [spec]);
    const flags = all.flatMap((spec) => spec.flags ?? []).filter(({ hidden }) => !hidden);
    for (const { flags: names } of flags) assert.ok(page.includes(`- \`${names}\``), names);
  });
});

/**
 * How source files read a variable: `env.NAME`, `environment['NAME']`, `os.environ.get("NAME")`,
 * `NAME_VARIABLE = "NAME"`.
 */
const READS = [
  /\b(?:env|environment|variables|dotenv)(?:\.|\[')([A-Z][A-Z\d_]+)\b/g,
  /\b(?:environ|environment)(?:\.get|\.pop)?[[(]"([A-Z][A-Z\d_]+)"/g,
  /\b(?:getenv|_setting)\("([A-Z][A-Z\d_]+)"/g,
  /\b(RUNPOD_[A-Z_]*[A-Z])\b/g,
  /\b[A-Z_]+_VARIABLE = ["']([A-Z][A-Z\d_]+)["']/g,
];

/** Names in hints and docstrings that are examples for projects. */
const EXAMPLES = new Set(['NAME', 'TOKEN', 'X']);

describe('docs/environment-variables.md', () => {
  it('has every variable in the source files', () => {
    const files = globSync('{runtime,server,client}/**/*.{ts,py}', { cwd: ROOT });
    const unknown = files.flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/^ *\*.*$/gm, '');
      const names = READS.flatMap((read) => [...text.matchAll(read)].map(([, name]) => name!));
      return names
        .filter((name) => !KNOWN_VARIABLES.has(name) && !EXAMPLES.has(name))
        .map((name) => `${name} in ${file}`);
    });
    assert.deepEqual(unknown, []);
  });
});
