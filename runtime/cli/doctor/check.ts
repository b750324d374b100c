/** The types of a `doctor` check: its input and its finding. */
import type { DoctorDocument } from '../../contract/cliDocuments.ts';
import type { Settings } from '../../deploy/settings.ts';
import type { TargetPython } from '../../source/reading.ts';

export type Finding = DoctorDocument['checks'][number];

export interface Surroundings {
  /** The project's root, or the working directory outside a project. */
  root: string;
  settings: Settings;
  /** The Python version that the project chooses or allows. */
  target: TargetPython;
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
