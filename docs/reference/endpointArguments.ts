/** Describes each argument of `Endpoint`. Numbers come from the limits and minimums used for reading the argument. */
import { DEFAULTS, JOB_LIMITS, PLATFORM_LIMITS, PROJECT_LIMITS } from '../../runtime/contract/limits.ts';
import { NAME_RULE } from '../../runtime/contract/names.ts';
import { WHOLE_MINIMUM } from '../../runtime/source/declarations/argumentValues.ts';
import type { Keyword } from '../../runtime/source/declarations/Declaration.ts';

export interface EndpointArgument {
  meaning: string;
  /** The Python type. */
  type: string;
  default: string;
  range: string;
  /** A value, as Python code. */
  example: string;
  /** Values just outside the range, as Python code, which are rejected. */
  refused: readonly string[];
}

const LONGEST = JOB_LIMITS.executionTimeoutMax / 1000;
const SHORTEST = JOB_LIMITS.executionTimeoutMin / 1000;

export const ENDPOINT_ARGUMENTS: Record<Keyword, EndpointArgument> = {
  name: {
    meaning:
      'Name of the endpoint. Required for a load-balanced endpoint. Several load-balanced declarations can have the same name and then form one endpoint. Otherwise, names must be unique in the project.',
    type: 'str',
    default: 'the name of the function or class; none for a load-balanced endpoint',
    range: NAME_RULE,
    example: '"score"',
    refused: ['""', '"-a"', `"${'a'.repeat(PROJECT_LIMITS.nameLength + 1)}"`],
  },
  gpu: {
    meaning: 'GPU group or type that the endpoint runs on. Cannot be combined with `cpu`.',
    type: 'GpuGroup or GpuType',
    default: `\`GpuGroup.${DEFAULTS.gpu}\` if \`cpu\` is not given`,
    range: 'a member of the [hardware table](#hardware)',
    example: 'GpuGroup.ADA_24',
    refused: ['"ADA_24"', 'GpuGroup.ADA_23'],
  },
  cpu: {
    meaning: 'CPU type, for an endpoint without a GPU. Cannot be combined with `gpu`.',
    type: 'str or CpuInstanceType',
    default: 'none',
    range: '`cpu<generation>-<vcpu>-<ram_gb>`, see the [hardware table](#hardware)',
    example: '"cpu5c-4-8"',
    refused: ['"cpu5c"', '"cpu5c-0-8"'],
  },
  workers: {
    meaning: 'Minimum and maximum number of workers, or only the maximum.',
    type: 'tuple[int, int] or int',
    default: `(${DEFAULTS.workersMin}, ${DEFAULTS.workersMax})`,
    range: `0 or more; the minimum must not exceed the maximum; the maximums of all endpoints together must not exceed the [quota](diagnostics.md#worker-quota), ${PROJECT_LIMITS.workersQuota} by default`,
    example: '(1, 5)',
    refused: ['(-1, 3)', '(3, 1)'],
  },
  idle_timeout: {
    meaning: `Seconds without a job or request after which a worker is stopped. If another endpoint waits for the worker's GPU, it is stopped after ${PLATFORM_LIMITS.idleBeforeGivingGpu / 1000} seconds at the latest.`,
    type: 'int',
    default: String(DEFAULTS.idleTimeoutSeconds),
    range: `${WHOLE_MINIMUM.idle_timeout} or more`,
    example: '300',
    refused: [String(WHOLE_MINIMUM.idle_timeout - 1), '1.5'],
  },
  dependencies: {
    meaning: 'Packages that the build installs.',
    type: 'list[str]',
    default: 'none',
    range:
      'requirements in the form that pip accepts, with a package name; write a URL as `NAME @ https://…`',
    example: '["pillow>=11", "requests"]',
    refused: ['"requests"', '[""]'],
  },
  env: {
    meaning: 'Environment variables of the workers.',
    type: 'dict[str, str]',
    default: 'none',
    range:
      'names of letters, digits and `_`; values can be `os.environ["NAME"]` or `os.getenv("NAME", "default")`',
    example: '{"MODE": "fast"}',
    refused: ['{"1ST": "x"}', '{"A": 1}'],
  },
  image: {
    meaning:
      'Container image for the workers. Not supported yet: a deploy to the embedded platform reports it as an error.',
    type: 'str',
    default: 'none',
    range: 'not empty; the embedded platform does not support it yet',
    example: '"registry.example/name:tag"',
    refused: ['""'],
  },
  gpu_count: {
    meaning: 'GPUs per worker.',
    type: 'int',
    default: String(DEFAULTS.gpuCount),
    range: `${WHOLE_MINIMUM.gpu_count} or more`,
    example: '2',
    refused: [String(WHOLE_MINIMUM.gpu_count - 1)],
  },
  execution_timeout: {
    meaning:
      'Maximum run time of one job, in seconds. On a load-balanced endpoint: maximum time until the first byte of the response.',
    type: 'float',
    default: `${DEFAULTS.executionTimeoutSeconds}; 330 for the routes of a load-balanced endpoint`,
    range: `${SHORTEST} to ${LONGEST}`,
    example: '900',
    refused: [String(SHORTEST - 1), String(LONGEST + 1)],
  },
  max_concurrency: {
    meaning: 'Maximum jobs or requests that one worker runs at once.',
    type: 'int',
    default: `${DEFAULTS.maxConcurrency}; no limit for a load-balanced endpoint`,
    range: `${WHOLE_MINIMUM.max_concurrency} or more`,
    example: '8',
    refused: [String(WHOLE_MINIMUM.max_concurrency - 1)],
  },
};
