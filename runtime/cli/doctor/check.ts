/** The types of a `doctor` check: its input and its finding. */
import type { DoctorDocument } from '../../contract/cliDocuments.ts';
import type { Settings } from '../../deploy/settings.ts';

export type Finding = DoctorDocument['checks'][number];

export interface Surroundings {
  /** The project's root, or the working directory outside a project. */
  root: string;
  settings: Settings;
  /** Python minor version that the project requires; null if it sets none. */
  python: string | null;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Checks one thing. A problem is a finding, never a thrown error. */
export type Check = (surroundings: Surroundings) => Finding | Promise<Finding>;

export function fine(name: string, detail: string): Finding {
  return { name, ok: true, detail, fix: null };
}

export function wrong(name: string, detail: string, fix: string): Finding {
  return { name, ok: false, detail, fix };
}
