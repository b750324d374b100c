/** A project and its flags → the options of a build, for `build` and `deploy`. */
import type { BuildOptions } from '../build/buildProject.ts';
import type { OpenProject } from './openProject.ts';
import type { Session } from './session.ts';

export function buildRequest(
  { reading, settings }: OpenProject,
  session: Session,
  flags: { exclude: string | null; keepBuild: boolean; output: string | null; upgrade: boolean },
): Omit<BuildOptions, 'report' | 'signal'> {
  return {
    reading,
    toolkitHome: settings.toolkitHome,
    env: session.env,
    exclude: (flags.exclude ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    keepBuild: flags.keepBuild,
    output: flags.output,
    upgrade: flags.upgrade,
  };
}
