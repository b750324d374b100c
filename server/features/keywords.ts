/** The arguments of `Endpoint` as completion, signature help and hover describe them; the types are those of toolkit_sdk. */
import { GPU_GROUPS } from '../../runtime/contract/hardware.ts';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import type { Keyword } from '../../runtime/source/declarations/Declaration.ts';
import { CPU_CHOICES } from './hardwareText.ts';

export interface KeywordText {
  /** As Python annotates it. */
  type: string;
  /** As Python writes it; `None` when there is none. */
  default: string;
  documentation: string;
  /** What a snippet inserts after `=`. */
  value: string;
}

const choices = (items: readonly string[]) => `\${1|${items.join(',')}|}`;

export const KEYWORD_TEXTS: Record<Keyword, KeywordText> = {
  name: {
    type: 'str | None',
    default: 'None',
    documentation:
      'Name of the endpoint, unique in the app. A queue-based endpoint without one takes the name of its function or class.',
    value: '"$1"',
  },
  gpu: {
    type: 'GpuGroup | GpuType | None',
    default: 'None',
    documentation: 'Group or model of GPU; `GpuGroup.ANY` when neither gpu nor cpu is given.',
    value: choices(Object.keys(GPU_GROUPS).map((group) => `GpuGroup.${group}`)),
  },
  cpu: {
    type: 'str | CpuInstanceType | None',
    default: 'None',
    documentation:
      'CPU-only instance of the form `cpu<generation>-<vcpu>-<ram_gb>`, such as `cpu5c-4-8`; not together with gpu.',
    value: `"${choices(CPU_CHOICES)}"`,
  },
  workers: {
    type: 'tuple[int, int] | int',
    default: `(${DEFAULTS.workersMin}, ${DEFAULTS.workersMax})`,
    documentation: 'Fewest and most workers, or the most alone. The most count towards the quota.',
    value: '(${1:0}, ${2:3})',
  },
  idle_timeout: {
    type: 'int',
    default: String(DEFAULTS.idleTimeoutSeconds),
    documentation: 'Seconds that an idle worker stays.',
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
      'Environment variables of the workers. Values read with `os.environ[...]` or `os.getenv(...)` are filled in at deploy.',
    value: '{"${1:NAME}": "$2"}',
  },
  image: {
    type: 'str | None',
    default: 'None',
    documentation: "Runtime image in place of the toolkit's own.",
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
    documentation: 'Seconds that one job may run; of a load-balanced endpoint until its answer begins.',
    value: '${1:600}',
  },
  max_concurrency: {
    type: 'int',
    default: String(DEFAULTS.maxConcurrency),
    documentation: 'Jobs that one worker runs at once, or requests, which are not limited by default.',
    value: '${1:4}',
  },
};
