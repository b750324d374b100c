/** Typed progress of long operations, drawn as lines by the CLI and as notifications by the editor. */

/** The four stages of a deploy, in order. */
export const DEPLOY_STAGES = ['Build', 'Upload', 'Provision', 'Configure'] as const;
export type DeployStage = (typeof DEPLOY_STAGES)[number];

export type ProgressEvent =
  /** A stage of a deploy began or ended; `detail` is one short phrase, `seconds` its duration. */
  | {
      type: 'stage';
      stage: DeployStage;
      state: 'started' | 'finished';
      detail: string | null;
      seconds: number;
    }
  /** A step inside a stage, such as "Resolving 14 requirements". */
  | { type: 'step'; message: string }
  /** An endpoint of a roll-out came this far; `seconds` since the roll-out began. */
  | {
      type: 'endpoint';
      endpoint: string;
      state: 'starting' | 'ready' | 'failed' | 'removed';
      seconds: number;
    }
  /** Bytes moved so far under one label; `total` null when unknown. */
  | { type: 'bytes'; label: string; done: number; total: number | null }
  /** Something the user should know that stops nothing. */
  | { type: 'warning'; message: string };

export type ReportProgress = (event: ProgressEvent) => void;
