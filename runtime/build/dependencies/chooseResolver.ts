/** Chooses what resolves requirements on this machine: uv, or pip. */
import { ToolkitError } from '../../contract/errors.ts';
import type { ReportProgress } from '../../contract/progress.ts';
import { readIndexSettings } from './indexSettings.ts';
import { findUv, installedUv } from './installer.ts';
import type { Interpreter } from './interpreter.ts';
import type { LockDocument } from './lockDocument.ts';
import type { RequirementSet } from './requirements.ts';
import { type MakeWheel, resolve } from './resolve.ts';
import { PipFailed, pipFits, resolveWithPip } from './resolveWithPip.ts';

/** Options of resolving. */
export interface ResolverOptions {
  root: string;
  /** Minor version that the wheels are for. */
  python: string;
  workDir: string;
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  interpreter: () => Promise<Interpreter>;
  signal: AbortSignal;
  report: ReportProgress;
}

interface ChoiceOptions extends ResolverOptions {
  /** Called for versions that are used only if their wheel can be built. */
  makeWheel: MakeWheel;
  /** Whether the versions are known, so that uv is not installed if pip finds them. */
  isReleased: boolean;
}

/** Resolves a set of requirements. Keeps the versions of an earlier lock where they fit. */
type Resolve = (set: RequirementSet, previous: LockDocument | null) => Promise<LockDocument>;

/**
 * Chooses uv, or pip if uv cannot be installed.
 *
 * @param options `workDir` is the folder of the files that uv or pip reads and writes.
 */
export async function chooseResolver({ sources }: RequirementSet, options: ChoiceOptions): Promise<Resolve> {
  const { root, python, workDir, env, signal, makeWheel, isReleased } = options;
  const interpreter = await options.interpreter();
  // pip ignores uv's sources, so it would silently resolve other packages.
  const canUsePip = pipFits(interpreter, python) && sources === null;
  const withPip: Resolve = (set, previous) =>
    resolveWithPip(set, previous, { interpreter, workDir, env, signal });
  if (isReleased && canUsePip && (await installedUv(options)) === null) {
    return async (set, previous) => {
      try {
        return await withPip(set, previous);
      } catch (error) {
        if (signal.aborted) throw error;
        const withUv = await chooseResolver(set, { ...options, isReleased: false });
        return withUv(set, previous);
      }
    };
  }
  let uv: string;
  try {
    uv = await findUv(options, options.interpreter);
  } catch (error) {
    if (!(error instanceof ToolkitError) || error.code !== 'INSTALLER_MISSING' || !canUsePip) throw error;
    options.report({
      type: 'warning',
      message: `${error.message} pip is used instead, which takes longer.`,
    });
    return (set, previous) =>
      withPip(set, previous).catch((failure: unknown) => {
        throw failure instanceof PipFailed ? error : failure;
      });
  }
  const settings = readIndexSettings(interpreter, options);
  const resolving = { root, uv, interpreter: interpreter.path, python, workDir, env: settings.env };
  const rest = { indexArguments: settings.args, signal, report: oncePerBuild(options.report), makeWheel };
  return (set, previous) => resolve(set, previous, { ...resolving, ...rest });
}

/** Sets of conflicting endpoints can have the same packages, so the same warnings. */
function oncePerBuild(report: ReportProgress): ReportProgress {
  const reported = new Set<string>();
  return (event) => {
    if (event.type === 'warning' && reported.has(event.message)) return;
    if (event.type === 'warning') reported.add(event.message);
    report(event);
  };
}
