/** Folded arguments of `Endpoint` → their values, or why they are invalid. */
import { CPU_FORMS, cpuMember, GPU_GROUPS, GPU_TYPES, parseCpuForm } from '../../contract/hardware.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import { type Constant, type EnumName, isDynamic } from './Constant.ts';
import { assigned, type Dialect, example } from './dialect.ts';

/** The result of reading one argument. */
export type Outcome<Value> =
  | { state: 'absent' }
  | { state: 'dynamic' }
  | { state: 'known'; value: Value }
  /** `item` is the index of the invalid item in a list. */
  | { state: 'invalid'; problem: string; fix: string; item?: number };

/** Environment variables of an endpoint, and which of them are filled in at deploy. */
export interface EnvironmentValues {
  env: Record<string, string | null>;
  envFrom: Record<string, { name: string; default: string | null }>;
}

export interface GpuMember {
  enum: Extract<EnumName, 'GpuGroup' | 'GpuType'>;
  member: string;
}

/** Reads `name`: a string, or None for the name of the function. */
export function readName(constant: Constant, dialect: Dialect): Outcome<string> {
  if (constant.type === 'none') return { state: 'absent' };
  return readText(constant, 'name must be a string', example(dialect, 'name', '"my-endpoint"'));
}

/** Reads `image`. */
export function readImage(constant: Constant, dialect: Dialect): Outcome<string> {
  if (constant.type === 'none') return { state: 'absent' };
  if (constant.type === 'string' && constant.value.trim() === '') {
    return invalid('image is empty', 'Give the name of an image, or remove image.');
  }
  return readText(
    constant,
    'image must be a string',
    example(dialect, 'image', '"registry.example/name:tag"'),
  );
}

/** Reads `gpu`: a member of GpuGroup or GpuType; in TOML, the name of a member. */
export function readGpu(constant: Constant, dialect: Dialect): Outcome<GpuMember> {
  if (constant.type === 'none') return { state: 'absent' };
  if (constant.type === 'dynamic') return { state: 'dynamic' };
  if (constant.type === 'member' && constant.enum !== 'CpuInstanceType') {
    return { state: 'known', value: { enum: constant.enum, member: constant.member } };
  }
  if (dialect === 'toml' && constant.type === 'string') {
    const owner = constant.value in GPU_TYPES ? 'GpuType' : 'GpuGroup';
    return { state: 'known', value: { enum: owner, member: constant.value } };
  }
  if (dialect === 'toml')
    return invalid('gpu must be the name of a GPU group or type', example(dialect, 'gpu', '"ANY"'));
  const named = constant.type === 'string' ? constant.value.replace(/^Gpu(?:Group|Type)\./, '') : '';
  const owner = Object.hasOwn(GPU_GROUPS, named) ? 'GpuGroup' : 'GpuType';
  return invalid(
    'gpu must be a member of GpuGroup or GpuType',
    owner === 'GpuGroup' || Object.hasOwn(GPU_TYPES, named)
      ? `Write gpu=${owner}.${named}.`
      : example(dialect, 'gpu', 'GpuGroup.ANY'),
  );
}

/** Reads `cpu`: a string with the form of a CPU type, or a member of CpuInstanceType. */
export function readCpu(constant: Constant, dialect: Dialect): Outcome<string> {
  const fix = example(dialect, 'cpu', '"cpu5c-4-8"');
  if (constant.type === 'none') return { state: 'absent' };
  if (constant.type === 'dynamic') return { state: 'dynamic' };
  if (constant.type === 'member' && constant.enum === 'CpuInstanceType') {
    const form = CPU_FORMS.find((known) => cpuMember(known) === constant.member);
    if (form !== undefined) return { state: 'known', value: form };
    return invalid(`CpuInstanceType has no member ${constant.member}`, fix);
  }
  if (constant.type !== 'string') {
    return invalid('cpu must be a string with the form cpu<generation>-<vcpu>-<ram_gb>', fix);
  }
  if (parseCpuForm(constant.value)) return { state: 'known', value: constant.value };
  return invalid(`"${constant.value}" does not have the form cpu<generation>-<vcpu>-<ram_gb>`, fix);
}

/** Reads `workers`: a pair (min, max), or n for (0, n). */
export function readWorkers(constant: Constant, dialect: Dialect): Outcome<{ min: number; max: number }> {
  const form = `workers must be the maximum, or a pair of whole numbers ${dialect === 'toml' ? '[min, max]' : '(min, max)'}`;
  const fix = example(dialect, 'workers', '(0, 3)', '[0, 3]');
  if (isDynamic(constant)) return { state: 'dynamic' };
  const pair =
    constant.type === 'tuple' || constant.type === 'list'
      ? constant.items
      : [{ type: 'integer', value: 0 } as const, constant];
  const [min, max] = pair;
  if (pair.length !== 2 || min?.type !== 'integer' || max?.type !== 'integer') return invalid(form, fix);
  if (min.value < 0 || max.value < 0) return invalid('workers cannot be below 0', fix);
  if (min.value > max.value) {
    return invalid(
      `workers has a minimum (${min.value}) that is greater than its maximum (${max.value})`,
      `Write ${assigned(dialect, 'workers', `(${max.value}, ${min.value})`, `[${max.value}, ${min.value}]`)}.`,
    );
  }
  return { state: 'known', value: { min: min.value, max: max.value } };
}

/** Reads `dependencies`: a list or tuple of requirements. */
export function readDependencies(constant: Constant, dialect: Dialect): Outcome<string[]> {
  const fix = example(dialect, 'dependencies', '["requests"]');
  if (constant.type === 'none') return { state: 'absent' };
  if (constant.type === 'dynamic') return { state: 'dynamic' };
  if (constant.type !== 'list' && constant.type !== 'tuple') {
    const one = constant.type === 'string' && /^[^\s,]+$/.test(constant.value) ? constant.value : null;
    const listed = `Write ${assigned(dialect, 'dependencies', `["${one}"]`)}.`;
    return invalid('dependencies must be a list of strings', one === null ? fix : listed);
  }
  const names: string[] = [];
  for (const [item, part] of constant.items.entries()) {
    if (part.type === 'string' && part.value.trim() !== '') names.push(part.value);
    else if (!isDynamic(part))
      return { ...invalid('dependencies must contain only strings that name packages', fix), item };
  }
  return names.length === constant.items.length ? { state: 'known', value: names } : { state: 'dynamic' };
}

/** Reads `env`: a dict of strings and reads from the environment. */
export function readEnv(constant: Constant, dialect: Dialect): Outcome<EnvironmentValues> {
  const fix = example(dialect, 'env', '{"MODE": "fast"}', '{ MODE = "fast" }');
  if (constant.type === 'none') return { state: 'absent' };
  if (constant.type === 'dynamic') return { state: 'dynamic' };
  if (constant.type !== 'dict')
    return invalid(`env must be a ${dialect === 'toml' ? 'table' : 'dict'} of strings`, fix);
  const values: EnvironmentValues = { env: {}, envFrom: {} };
  let dynamic = false;
  for (const [item, { key, value }] of constant.entries.entries()) {
    if (isDynamic(key) || isDynamic(value)) {
      dynamic = true;
    } else if (key.type !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key.value)) {
      const problem =
        key.type === 'string'
          ? `env has the key "${key.value}", which is not a valid variable name`
          : 'env has a key that is not a valid variable name';
      return { ...invalid(problem, fix), item };
    } else if (value.type === 'string') {
      define(values.env, key.value, value.value);
    } else if (value.type === 'environment') {
      define(values.env, key.value, null);
      define(values.envFrom, key.value, { name: value.name, default: value.default });
    } else {
      return { ...invalid(`env has a value for ${key.value} that is not a string`, fix), item };
    }
  }
  return dynamic ? { state: 'dynamic' } : { state: 'known', value: values };
}

/** The minimum of each argument that is a whole number. */
export const WHOLE_MINIMUM = { idle_timeout: 0, gpu_count: 1, max_concurrency: 1 } as const;

/** Reads an argument that is a whole number. */
export function readWhole(
  constant: Constant,
  dialect: Dialect,
  keyword: keyof typeof WHOLE_MINIMUM,
): Outcome<number> {
  const min = WHOLE_MINIMUM[keyword];
  if (constant.type === 'dynamic') return { state: 'dynamic' };
  if (constant.type === 'integer' && constant.value >= min) return { state: 'known', value: constant.value };
  return invalid(
    `${keyword} must be a whole number of at least ${min}`,
    example(dialect, keyword, String(Math.max(min, 1))),
  );
}

/** Reads `execution_timeout`, in seconds. */
export function readExecutionTimeout(constant: Constant, dialect: Dialect): Outcome<number> {
  const min = JOB_LIMITS.executionTimeoutMin / 1000;
  const max = JOB_LIMITS.executionTimeoutMax / 1000;
  if (constant.type === 'dynamic') return { state: 'dynamic' };
  if (constant.type === 'integer' || constant.type === 'float') {
    if (constant.value >= min && constant.value <= max) return { state: 'known', value: constant.value };
  }
  return invalid(
    `execution_timeout must be a number of seconds from ${min} to ${max}`,
    example(dialect, 'execution_timeout', '600'),
  );
}

function readText(constant: Constant, problem: string, fix: string): Outcome<string> {
  if (constant.type === 'dynamic') return { state: 'dynamic' };
  return constant.type === 'string' ? { state: 'known', value: constant.value } : invalid(problem, fix);
}

/** An outcome that says what is wrong with a value, and how to write a valid one. */
export function invalid(problem: string, fix: string) {
  return { state: 'invalid', problem, fix } as const;
}

/** Defines the property, because a variable may be called `__proto__`. */
function define<Value>(record: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
