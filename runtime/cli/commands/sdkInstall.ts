/** `toolkit sdk install`: installs the bundled toolkit_sdk into an interpreter or a virtual environment. */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { sdkWheel } from '../../build/code/sdkCopy.ts';
import { systemCode } from '../../build/fileErrors.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { readSettings } from '../../deploy/settings.ts';
import { projectRoot } from '../openProject.ts';
import { paint } from '../paint.ts';
import { type Handler, type Session, textFlag } from '../session.ts';
import { VERSION } from '../version.ts';

export const handle: Handler = async ({ flags, session }) => {
  const python = chooseInterpreter(textFlag(flags, 'python'), session);
  session.report({ type: 'step', message: `Installing toolkit_sdk ${VERSION} into ${python}` });
  await pip(python, sdkWheel(), session.signal);
  session.result({ python, version: VERSION }, `Installed toolkit_sdk ${VERSION} for ${python}.`);
};

/** `--python`, else the active virtual environment, else the project's .venv, else TOOLKIT_PYTHON, else python3. */
function chooseInterpreter(named: string | null, session: Session): string {
  if (named !== null) {
    const target = path.resolve(session.cwd, named);
    if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) {
      const inside = interpreterIn(target);
      if (inside) return inside;
      throw new ToolkitError('PYTHON_NOT_FOUND', `${named} is a folder without bin/python.`, {
        hint: `Create a virtual environment there with "python3 -m venv ${named}".`,
      });
    }
    if (existsSync(target)) return target;
    if (named.includes(path.sep))
      throw new ToolkitError('PYTHON_NOT_FOUND', `${named} does not exist.`, {
        hint: 'Pass the path of an interpreter or a virtual environment.',
      });
    return named;
  }
  const settings = readSettings(null, session.env);
  const active = settings.variables['VIRTUAL_ENV'];
  if (active && !interpreterIn(active))
    session.note(
      `${paint.yellow('note')}: VIRTUAL_ENV is ${active}, which has no bin/python, so another interpreter is used.`,
    );
  return (
    (active && interpreterIn(active)) ||
    interpreterIn(path.join(projectRoot(session), '.venv')) ||
    settings.variables['TOOLKIT_PYTHON'] ||
    'python3'
  );
}

/** The interpreter of a virtual environment; undefined if it has none. */
function interpreterIn(environment: string): string | undefined {
  const candidates = [path.join('bin', 'python'), path.join('Scripts', 'python.exe')];
  return candidates.map((candidate) => path.join(environment, candidate)).find((file) => existsSync(file));
}

async function pip(python: string, wheel: string, signal: AbortSignal): Promise<void> {
  const args = [
    '-m',
    'pip',
    'install',
    '--disable-pip-version-check',
    '--quiet',
    '--force-reinstall',
    '--no-deps',
    wheel,
  ];
  // The first run replaces an older copy of the same version, without dependencies. The second adds missing ones.
  for (const step of [args, args.filter((arg) => arg !== '--force-reinstall' && arg !== '--no-deps')]) {
    const child = spawn(python, step, { stdio: ['ignore', 'ignore', 'pipe'], signal });
    const started = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const [code, output] = await Promise.all([started, text(child.stderr)]).catch((error: unknown) => {
      if (signal.aborted) throw signal.reason;
      const isMissing = systemCode(error) === 'ENOENT';
      const why = isMissing ? 'does not exist, and no such program is on PATH' : 'cannot be started';
      throw new ToolkitError('PYTHON_NOT_FOUND', `${python} ${why}.`, {
        hint: 'Choose an interpreter or a virtual environment with --python PATH.',
        cause: error,
      });
    });
    if (code === 0) continue;
    const why = output.includes('externally-managed-environment')
      ? `${python} is managed by the operating system, which does not let pip install packages into it (PEP 668).`
      : `pip could not install toolkit_sdk for ${python}: ${lastLine(output)}`;
    throw new ToolkitError('INSTALLER_MISSING', why, {
      hint: 'Create a virtual environment with "python3 -m venv .venv" and pass --python .venv.',
    });
  }
}

function lastLine(output: string): string {
  return (
    output
      .trim()
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? 'it printed no error.'
  );
}
