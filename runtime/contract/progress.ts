/** Progress events of long operations. The CLI prints them as lines, the editor shows notifications. */

/** The four stages of a deploy, in order. */
export const DEPLOY_STAGES = ['Build', 'Upload', 'Provision', 'Configure'] as const;
export type DeployStage = (typeof DEPLOY_STAGES)[number];

export type ProgressEvent =
  /** A stage of a deploy has started or ended. `detail` is one short phrase, `seconds` the duration. */
  | {
      type: 'stage';
      stage: DeployStage;
      state: 'started' | 'finished';
      detail: string | null;
      seconds: number;
    }
  /** A step inside a stage, such as "Resolving 14 requirements". */
  | { type: 'step'; message: string }
  /** An endpoint of a rollout has reached this state; `seconds` is the time since the rollout began. */
  | {
      type: 'endpoint';
      endpoint: string;
      state: 'starting' | 'ready' | 'failed' | 'removed';
      seconds: number;
    }
  /** Bytes transferred so far for one label; `total` is null if unknown. */
  | { type: 'bytes'; label: string; done: number; total: number | null }
  /** Something the user should know. The operation continues. */
  | { type: 'warning'; message: string };

export type ReportProgress = (event: ProgressEvent) => void;
