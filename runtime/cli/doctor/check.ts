/** One finding of `doctor`, and what every check is given. */
import type { DoctorDocument } from '../../contract/cliDocuments.ts';
import type { Settings } from '../../deploy/settings.ts';

export type Finding = DoctorDocument['checks'][number];

export interface Surroundings {
  /** The project's root, or the working directory where there is none. */
  root: string;
  settings: Settings;
  /** Minor version that the project asks for; null when it leaves it open. */
  python: string | null;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Looks at one thing; never throws for what it finds. */
export type Check = (surroundings: Surroundings) => Finding | Promise<Finding>;

export function fine(name: string, detail: string): Finding {
  return { name, ok: true, detail, fix: null };
}

export function wrong(name: string, detail: string, fix: string): Finding {
  return { name, ok: false, detail, fix };
}
