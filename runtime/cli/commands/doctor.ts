/** `toolkit doctor`: checks everything that builds, deploys and workers need on this machine, each with its fix. */
import { ToolkitError } from '../../contract/errors.ts';
import { readSettings } from '../../deploy/settings.ts';
import type { TargetPython } from '../../source/reading.ts';
import { ANY_PYTHON } from '../../source/requiresPython.ts';
import { addressFinding, clock, key, platform } from '../doctor/account.ts';
import { type Check, type Finding, type Surroundings, wrong } from '../doctor/check.ts';
import { containers, disk, gpu, home, host, node, project, user } from '../doctor/machine.ts';
import { hiding, memory } from '../doctor/nodeAgent.ts';
import { python, uv } from '../doctor/tools.ts';
import { table } from '../format.ts';
import { openProject, projectRoot } from '../openProject.ts';
import { paint } from '../paint.ts';
import type { Handler, Session } from '../session.ts';

const ON_MACHINE: Check[] = [
  host,
  node,
  python,
  uv,
  gpu,
  containers,
  disk,
  home,
  user,
  hiding,
  memory,
  project,
];
const ON_PLATFORM: Check[] = [platform, key, clock];

export const handle: Handler = async ({ session }) => {
  const root = projectRoot(session);
  const settings = readSettings(root, session.env, session.editorKeys);
  const { target, unreadable } = await projectPython(session);
  const surroundings: Surroundings = { root, settings, target, env: session.env, signal: session.signal };
  session.report({ type: 'step', message: 'Checking this machine' });
  const address = addressFinding(surroundings);
  const checks = [
    ...(await Promise.all(
      [...ON_MACHINE, ...(address ? [] : ON_PLATFORM)].map(async (check) => check(surroundings)),
    )),
    ...(address ? [address] : []),
    ...(unreadable ? [unreadable] : []),
  ];
  const rows = checks.map(({ name, ok, detail }) => [ok ? paint.green('✓') : paint.red('✗'), name, detail]);
  const fixes = checks.flatMap(({ name, fix }) => (fix ? [`  ${paint.cyan('→')} ${name}: ${fix}`] : []));
  session.result(
    { checks },
    [table(rows), ...(fixes.length > 0 ? ['', ...fixes] : ['', 'Everything is in place.'])].join('\n'),
  );
  return checks.every(({ ok }) => ok) ? 0 : 1;
};

/** The Python version that the project chooses or allows. A project that cannot be read is a failed check; it does not stop the command. */
async function projectPython(
  session: Session,
): Promise<{ target: TargetPython; unreadable: Finding | null }> {
  try {
    return { target: (await openProject(session)).reading.config, unreadable: null };
  } catch (error) {
    if (session.signal.aborted || !(error instanceof ToolkitError)) throw error;
    const { message, hint } = error;
    return {
      target: ANY_PYTHON,
      unreadable: wrong('configuration', message, hint ?? 'Fix the configuration.'),
    };
  }
}
