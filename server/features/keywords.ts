/** The arguments of `Endpoint` for completion, signature help and hover. The types are those in toolkit_sdk. */
import { GPU_GROUPS } from '../../runtime/contract/hardware.ts';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import type { Keyword } from '../../runtime/source/declarations/Declaration.ts';
import { CPU_CHOICES } from './hardwareText.ts';

export interface KeywordText {
  /** The Python annotation. */
  type: string;
  /** The default as Python code; `None` if there is none. */
  default: string;
  documentation: string;
  /** The snippet to insert after `=`. */
  value: string;
}

const choices = (items: readonly string[]) => `\${1|${items.join(',')}|}`;

export const KEYWORD_TEXTS: Record<Keyword, KeywordText> = {
  name: {
    type: 'str | None',
    default: 'None',
    documentation:
      'Name of the endpoint. Load-balanced instances with the same name form one endpoint; all other names must be unique in the project. By default, a queue-based endpoint has the name of its function or class.',
    value: '"$1"',
  },
  gpu: {
    type: 'GpuGroup | GpuType | None',
    default: 'None',
    documentation: 'GPU group or type. `GpuGroup.ANY` if neither gpu nor cpu is given.',
    value: choices(Object.keys(GPU_GROUPS).map((group) => `GpuGroup.${group}`)),
  },
  cpu: {
    type: 'str | CpuInstanceType | None',
    default: 'None',
    documentation:
      'CPU-only instance of the form `cpu<generation>-<vcpu>-<ram_gb>`, such as `cpu5c-4-8`. Cannot be combined with gpu.',
    value: `"${choices(CPU_CHOICES)}"`,
  },
  workers: {
    type: 'tuple[int, int] | int',
    default: `(${DEFAULTS.workersMin}, ${DEFAULTS.workersMax})`,
    documentation:
      'Minimum and maximum number of workers, or only the maximum. The maximum counts toward the quota.',
    value: '(${1:0}, ${2:3})',
  },
  idle_timeout: {
    type: 'int',
    default: String(DEFAULTS.idleTimeoutSeconds),
    documentation: 'Seconds without a job or request after which a worker is stopped.',
    value: '${1:300}',
  },
  dependencies: {
    type: 'list[str] | tuple[str, ...] | None',
    default: 'None',
    documentation: 'Packages to install at build time. Import them inside the function body.',
    value: '["$1"]',
  },
  env: {
    type: 'Mapping[str, str | None] | None',
    default: 'None',
    documentation:
      'Environment variables of the workers. Values read with `os.environ[...]` or `os.getenv(...)` are filled in when you deploy.',
    value: '{"${1:NAME}": "$2"}',
  },
  image: {
    type: 'str | None',
    default: 'None',
    documentation: 'Container image for the workers. The embedded platform does not support it yet.',
    value: '"$1"',
  },
  gpu_count: {
    type: 'int',
    default: String(DEFAULTS.gpuCount),
    documentation: 'GPUs per worker.',
    value: '${1:2}',
  },
  execution_timeout: {
    type: 'float',
    default: String(DEFAULTS.executionTimeoutSeconds),
    documentation:
      'Maximum run time of one job, in seconds. For a load-balanced endpoint: maximum time until its response begins.',
    value: '${1:600}',
  },
  max_concurrency: {
    type: 'int',
    default: String(DEFAULTS.maxConcurrency),
    documentation:
      'Maximum jobs that one worker runs at once. For a load-balanced endpoint: requests, unlimited by default.',
    value: '${1:4}',
  },
};
