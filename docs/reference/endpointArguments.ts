/** What each argument of `Endpoint` takes. Numbers come from the limits and minimums that reading an argument uses. */
import { DEFAULTS, JOB_LIMITS, PROJECT_LIMITS } from '../../runtime/contract/limits.ts';
import { NAME_RULE } from '../../runtime/contract/names.ts';
import { WHOLE_MINIMUM } from '../../runtime/source/declarations/argumentValues.ts';
import type { Keyword } from '../../runtime/source/declarations/Declaration.ts';

export interface EndpointArgument {
  meaning: string;
  /** In Python. */
  type: string;
  default: string;
  range: string;
  /** A value, in Python. */
  example: string;
  /** Values next to the range, in Python, which are refused. */
  refused: readonly string[];
}

const LONGEST = JOB_LIMITS.executionTimeoutMax / 1000;
const SHORTEST = JOB_LIMITS.executionTimeoutMin / 1000;

export const ENDPOINT_ARGUMENTS: Record<Keyword, EndpointArgument> = {
  name: {
    meaning: 'Name of the endpoint, unique in the app. A load-balanced endpoint needs one.',
    type: 'str',
    default: "the function's or class's name",
    range: NAME_RULE,
    example: '"score"',
    refused: ['""', '"-a"', `"${'a'.repeat(PROJECT_LIMITS.nameLength + 1)}"`],
  },
  gpu: {
    meaning: 'GPU group or type that the endpoint runs on. Not together with `cpu`.',
    type: 'GpuGroup or GpuType',
    default: `\`GpuGroup.${DEFAULTS.gpu}\` when there is no \`cpu\``,
    range: 'a member of the [hardware table](#hardware)',
    example: 'GpuGroup.ADA_24',
    refused: ['"ADA_24"', 'GpuGroup.ADA_23'],
  },
  cpu: {
    meaning: 'CPU-only instance. Not together with `gpu`.',
    type: 'str or CpuInstanceType',
    default: 'none',
    range: '`cpu<generation>-<vcpu>-<ram_gb>`, one of the [hardware table](#hardware)',
    example: '"cpu5c-4-8"',
    refused: ['"cpu5c"', '"cpu5c-0-8"'],
  },
  workers: {
    meaning: 'Fewest and most workers, or the most alone.',
    type: 'tuple[int, int] or int',
    default: `(${DEFAULTS.workersMin}, ${DEFAULTS.workersMax})`,
    range: `from 0; the first is not above the second; the account has ${PROJECT_LIMITS.workersQuota} in all`,
    example: '(1, 5)',
    refused: ['(-1, 3)', '(3, 1)'],
  },
  idle_timeout: {
    meaning: 'Seconds that a worker stays after its last job.',
    type: 'int',
    default: String(DEFAULTS.idleTimeoutSeconds),
    range: `from ${WHOLE_MINIMUM.idle_timeout}`,
    example: '300',
    refused: [String(WHOLE_MINIMUM.idle_timeout - 1), '1.5'],
  },
  dependencies: {
    meaning: 'Packages that the build installs.',
    type: 'list[str]',
    default: 'none',
    range: 'requirements as pip takes them, each with a name',
    example: '["pillow>=11", "requests"]',
    refused: ['"requests"', '[""]'],
  },
  env: {
    meaning: 'Environment variables of the workers.',
    type: 'dict[str, str]',
    default: 'none',
    range:
      'names of letters, digits and `_`; values may be `os.environ["NAME"]` or `os.getenv("NAME", "default")`',
    example: '{"MODE": "fast"}',
    refused: ['{"1ST": "x"}', '{"A": 1}'],
  },
  image: {
    meaning: "Runtime image to use instead of the toolkit's own.",
    type: 'str',
    default: "the toolkit's own",
    range: 'not empty; the embedded platform takes none yet',
    example: '"registry.example/name:tag"',
    refused: ['""'],
  },
  gpu_count: {
    meaning: 'GPUs of each worker.',
    type: 'int',
    default: String(DEFAULTS.gpuCount),
    range: `from ${WHOLE_MINIMUM.gpu_count}`,
    example: '2',
    refused: [String(WHOLE_MINIMUM.gpu_count - 1)],
  },
  execution_timeout: {
    meaning: 'Seconds that one job may run. On a load-balanced endpoint: until the first byte of the answer.',
    type: 'float',
    default: `${DEFAULTS.executionTimeoutSeconds}; 330 for the routes of a load-balanced endpoint`,
    range: `${SHORTEST} to ${LONGEST}`,
    example: '900',
    refused: [String(SHORTEST - 1), String(LONGEST + 1)],
  },
  max_concurrency: {
    meaning: 'Jobs, or requests, that one worker runs at once.',
    type: 'int',
    default: `${DEFAULTS.maxConcurrency}; no limit for a load-balanced endpoint`,
    range: `from ${WHOLE_MINIMUM.max_concurrency}`,
    example: '8',
    refused: [String(WHOLE_MINIMUM.max_concurrency - 1)],
  },
};
