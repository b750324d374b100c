/** A call of `Endpoint` → a declaration with its arguments folded. */
import type { Call } from '../binder/Expression.ts';
import type { Reach } from '../binder/reach.ts';
import {
  type Outcome,
  readCpu,
  readDependencies,
  readEnv,
  readExecutionTimeout,
  readGpu,
  readImage,
  readName,
  readWhole,
  readWorkers,
  type WHOLE_MINIMUM,
} from './argumentValues.ts';
import { bindArguments, type Signature } from './bindArguments.ts';
import { type Constant, unfilled } from './Constant.ts';
import { type Declaration, KEYWORDS, type Keyword } from './Declaration.ts';
import type { Dialect } from './dialect.ts';
import type { NameResolver } from './NameResolver.ts';

/** A call of `Endpoint`, and where it was found. */
export interface CallSite extends Reach {
  file: string;
  scope: number;
  call: Call;
  isInLambda?: true;
}

const SIGNATURE: Signature<Keyword> = {
  keywords: KEYWORDS,
  surplus: {
    problem: 'Endpoint takes only its name as a positional argument',
    fix: 'Pass this argument with its keyword, for example workers=(0, 3).',
  },
};

/** Reads a call. The caller adds the decorated functions and the routes. */
export function readDeclaration(
  names: NameResolver,
  site: CallSite,
  form: Exclude<Declaration['form'], 'table'>,
): Declaration {
  const { given, unknown, misplaced, open } = bindArguments(names, site.call.arguments, site, SIGNATURE);
  const kind = form === 'decorator' ? 'queue' : 'load-balanced';
  return {
    ...site,
    form,
    kind,
    given,
    unknown,
    misplaced,
    open,
    ...readArguments(given, 'python', open.length > 0),
    command: { state: 'absent' },
    kindGiven: { state: 'absent' },
    served: [],
    routes: [],
  };
}

/**
 * Reads the values of the arguments.
 *
 * @param open - Whether there may be arguments that are not in `given`.
 */
export function readArguments(given: Declaration['given'], dialect: Dialect, open: boolean) {
  const outcome = <Value>(
    keyword: Keyword,
    read: (constant: Constant, dialect: Dialect) => Outcome<Value>,
  ): Outcome<Value> => {
    const argument = given[keyword];
    // Only `env` is filled in at deploy.
    if (argument) return read(keyword === 'env' ? argument.constant : unfilled(argument.constant), dialect);
    return open ? { state: 'dynamic' } : { state: 'absent' };
  };
  const whole = (keyword: keyof typeof WHOLE_MINIMUM) =>
    outcome(keyword, (constant) => readWhole(constant, dialect, keyword));
  return {
    name: outcome('name', readName),
    gpu: outcome('gpu', readGpu),
    cpu: outcome('cpu', readCpu),
    workers: outcome('workers', readWorkers),
    idleTimeout: whole('idle_timeout'),
    dependencies: outcome('dependencies', readDependencies),
    env: outcome('env', readEnv),
    image: outcome('image', readImage),
    gpuCount: whole('gpu_count'),
    executionTimeout: outcome('execution_timeout', readExecutionTimeout),
    maxConcurrency: whole('max_concurrency'),
  };
}
