/** A call of `Endpoint` → a declaration with its arguments folded. */
import type { Call, Expression } from '../binder/Expression.ts';
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
} from './argumentValues.ts';
import { type Constant, unfilled } from './Constant.ts';
import type { Declaration, GivenArgument, Keyword, MisplacedArgument } from './Declaration.ts';
import { KEYWORDS } from './Declaration.ts';
import type { Dialect } from './dialect.ts';
import { foldConstant } from './foldConstant.ts';
import type { NameResolver } from './NameResolver.ts';

/** Where the call was found. */
export interface CallSite extends Reach {
  file: string;
  scope: number;
  call: Call;
  isInLambda?: true;
}

/** Reads a call; the caller adds what it decorates and its routes. */
export function readDeclaration(
  names: NameResolver,
  site: CallSite,
  form: Exclude<Declaration['form'], 'table'>,
): Declaration {
  const { given, unknown, misplaced, open } = bindArguments(names, site);
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
 * The values of the arguments.
 *
 * @param open - Whether there may be more arguments than are given.
 */
export function readArguments(given: Declaration['given'], dialect: Dialect, open: boolean) {
  const outcome = <Value>(
    keyword: Keyword,
    read: (constant: Constant, dialect: Dialect) => Outcome<Value>,
  ): Outcome<Value> => {
    const argument = given[keyword];
    // Only `env` is filled at deploy.
    if (argument) return read(keyword === 'env' ? argument.constant : unfilled(argument.constant), dialect);
    return open ? { state: 'dynamic' } : { state: 'absent' };
  };
  const whole = (keyword: Keyword, min: number) =>
    outcome(keyword, (constant) => readWhole(constant, dialect, keyword, min));
  return {
    name: outcome('name', readName),
    gpu: outcome('gpu', readGpu),
    cpu: outcome('cpu', readCpu),
    workers: outcome('workers', readWorkers),
    idleTimeout: whole('idle_timeout', 0),
    dependencies: outcome('dependencies', readDependencies),
    env: outcome('env', readEnv),
    image: outcome('image', readImage),
    gpuCount: whole('gpu_count', 1),
    executionTimeout: outcome('execution_timeout', readExecutionTimeout),
    maxConcurrency: whole('max_concurrency', 1),
  };
}

interface BoundArguments {
  given: Partial<Record<Keyword, GivenArgument>>;
  unknown: GivenArgument[];
  misplaced: MisplacedArgument[];
  open: Expression[];
}

function bindArguments(names: NameResolver, { file, scope, call }: CallSite): BoundArguments {
  const bound: BoundArguments = { given: {}, unknown: [], misplaced: [], open: [] };
  let positional = 0;
  let afterKeyword = false;
  for (const { keyword, keywordRange, spread, value } of call.arguments) {
    const constant = foldConstant(names, value, { file, scope });
    if (keyword !== null) {
      afterKeyword = true;
      bind(bound, { keyword, keywordRange: keywordRange ?? value.range, expression: value, constant });
    } else if (spread === '**') {
      afterKeyword = true;
      bindSpread(bound, { keyword: '', keywordRange: value.range, expression: value, constant });
    } else if (spread === '*') {
      bound.open.push(value);
    } else if (positional === 0 && !afterKeyword) {
      positional += 1;
      bind(bound, { keyword: 'name', keywordRange: value.range, expression: value, constant });
    } else {
      bound.misplaced.push({
        problem: 'Endpoint takes only its name without a keyword',
        fix: 'Write the argument with its keyword, for example workers=(0, 3).',
        range: value.range,
      });
    }
  }
  return bound;
}

/** `**settings` with a known dict counts as its keywords. */
function bindSpread(bound: BoundArguments, argument: GivenArgument): void {
  const { constant } = argument;
  if (constant.type !== 'dict' || constant.entries.some(({ key }) => key.type !== 'string')) {
    bound.open.push(argument.expression);
    return;
  }
  for (const { key, value } of constant.entries) {
    if (key.type === 'string') bind(bound, { ...argument, keyword: key.value, constant: value });
  }
}

function bind(bound: BoundArguments, argument: GivenArgument): void {
  const keyword = KEYWORDS.find((known) => known === argument.keyword);
  if (!keyword) {
    bound.unknown.push(argument);
  } else if (bound.given[keyword]) {
    bound.misplaced.push({
      problem: `${keyword} is given twice`,
      fix: 'Remove one of them.',
      range: argument.keywordRange,
    });
  } else {
    bound.given[keyword] = argument;
  }
}
