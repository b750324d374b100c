/** Completion scripts, tested in the shells themselves. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../platform/harness.ts';
import { cleanEnvironment, workbench } from '../setup/toolkit.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const worker =
  'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="resize", cpu="cpu3c-1-2")\ndef resize(x: int):\n    """Resize."""\n';

/** The line before the cursor, what must be offered, and what must not. */
const CASES: [line: string, offered: string[], absent: string[]][] = [
  ['toolkit ', ['deploy', 'undeploy', 'completion', 'env'], ['start', '--json']],
  ['toolkit de', ['deploy'], ['undeploy']],
  ['toolkit --env staging de', ['deploy'], ['staging']],
  ['toolkit platform ', ['start', 'stop', 'status', 'key'], ['deploy']],
  ['toolkit platform start --g', ['--gpu'], ['--quota']],
  ['toolkit platform start --gpu ', ['auto', 'require', 'none'], ['start']],
  ['toolkit check --format ', ['text', 'github', 'sarif'], ['check']],
  ['toolkit deploy --dr', ['--dry-run'], ['--deployed']],
  ['toolkit list --de', ['--deployed'], ['--dry-run']],
  ['toolkit --ver', ['--verbose', '--version'], ['--json']],
  ['toolkit call ', ['resize'], ['call']],
  ['toolkit completion ', ['bash', 'zsh', 'fish'], ['deploy']],
];

describe('toolkit completion', () => {
  const bench = workbench({ after });
  let project: string;
  let env: NodeJS.ProcessEnv;

  before(() => {
    project = bench.project('shop', { 'pyproject.toml': '', 'w.py': worker });
    const command = path.join(bench.folder, 'toolkit');
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
    chmodSync(command, 0o755);
    env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home, PATH: `${bench.folder}:${process.env['PATH']}` };
  });

  const inBash = (line: string): string[] => {
    const words = line.split(' ');
    const script = `source <(toolkit completion bash)
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_toolkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { cwd: project, env, encoding: 'utf8' }).trim().split('\n');
  };
  const inFish = (line: string): string[] => {
    const script = `toolkit completion fish | source; complete -C '${line}'`;
    const printed = execFileSync('fish', ['--no-config', '-c', script], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
    return printed
      .trim()
      .split('\n')
      .map((row) => row.split('\t')[0]!);
  };
  /**
   * zsh completes only on a terminal: script(1) provides one. Waits until it shows everything that must be
   * offered.
   */
  const awaitInZsh = async (line: string, offered: string[]): Promise<void> => {
    writeFileSync(
      path.join(bench.folder, '.zshrc'),
      `autoload -Uz compinit; compinit -u -d '${bench.folder}/zcompdump'; source <(toolkit completion zsh)
PS1='ready> '; setopt NO_BEEP; unsetopt AUTO_MENU; setopt LIST_AMBIGUOUS; bindkey '^D' list-choices; LISTMAX=1000\n`,
    );
    const terminal = spawn('script', ['-qefc', 'stty cols 200 rows 60; zsh -i', '/dev/null'], {
      cwd: project,
      env: { ...env, ZDOTDIR: bench.folder, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const words = () => printed.replace(/\u001B\[[\d;?]*[A-Za-z]/g, '').split(/\s+/);
    try {
      await until('zsh is ready', () => printed.includes('ready> '));
      terminal.stdin.write(`${line}\u0004`);
      await until(`all of ${offered.join(', ')}`, () => offered.every((word) => words().includes(word)));
      terminal.stdin.end('\u0015exit\r');
      await once(terminal, 'close');
    } finally {
      terminal.kill();
    }
  };

  const check = (offers: string[], offered: string[], absent: string[]): void => {
    for (const word of offered) assert.ok(offers.includes(word), `no ${word} in ${offers.join(' ')}`);
    for (const word of absent) assert.ok(!offers.includes(word), `${word} in ${offers.join(' ')}`);
  };

  for (const [line, offered, absent] of CASES) {
    it(`bash offers ${offered.join(', ')} after "${line}"`, () => check(inBash(line), offered, absent));
    it(`fish offers ${offered.join(', ')} after "${line}"`, () => check(inFish(line), offered, absent));
  }
  for (const [line, offered] of CASES.filter((row) => row[1].length > 1))
    it(`zsh lists ${offered.join(', ')} after "${line}"`, () => awaitInZsh(line, offered));

  for (const shell of ['bash', 'zsh', 'fish'])
    it(`${shell}'s script contains every flag and command`, async () => {
      const { stdout, code } = await bench.toolkit(project, ['completion', shell]);
      assert.equal(code, 0);
      for (const word of ['undeploy', 'dry-run', 'since', 'strict', 'template', 'no-color', 'help'])
        assert.ok(stdout.includes(word), word);
    });
});
