/** The arguments of a call, folded → the parameters that take them, bound like in Python. */
import type { Argument, Expression } from '../binder/Expression.ts';
import type { GivenArgument, MisplacedArgument } from './Declaration.ts';
import { foldConstant } from './foldConstant.ts';
import type { NameResolver } from './NameResolver.ts';

/** Parameters of a call. Only the first can be given without a keyword. */
export interface Signature<Keyword extends string> {
  keywords: readonly Keyword[];
  /** The problem with a second argument without a keyword. */
  surplus: Omit<MisplacedArgument, 'range'>;
}

export interface BoundArguments<Keyword extends string> {
  given: Partial<Record<Keyword, GivenArgument>>;
  /** Arguments that no parameter takes. */
  unknown: GivenArgument[];
  misplaced: MisplacedArgument[];
  /** `*` and `**` whose content is known only when the code runs. */
  open: Expression[];
}

/** Binds the arguments of a call. */
export function bindArguments<Keyword extends string>(
  names: NameResolver,
  written: readonly Argument[],
  site: { file: string; scope: number },
  { keywords, surplus }: Signature<Keyword>,
): BoundArguments<Keyword> {
  const bound: BoundArguments<Keyword> = { given: {}, unknown: [], misplaced: [], open: [] };
  let isFirst = true;
  for (const { keyword, keywordRange, spread, value } of written) {
    const constant = foldConstant(names, value, site);
    const argument = { keyword: keyword ?? keywords[0]!, expression: value, constant };
    if (spread === '*') bound.open.push(value);
    else if (spread === '**') bindSpread({ ...argument, keywordRange: value.range });
    else if (keyword !== null || isFirst) bind({ ...argument, keywordRange: keywordRange ?? value.range });
    else bound.misplaced.push({ ...surplus, range: value.range });
    isFirst &&= spread === '*';
  }
  return bound;

  /** `**settings` with a known dict counts as the keywords in it. */
  function bindSpread(argument: GivenArgument): void {
    const { constant, expression } = argument;
    const entries = constant.type === 'dict' ? constant.entries : null;
    if (!entries || entries.some(({ key }) => key.type !== 'string')) {
      bound.open.push(expression);
      return;
    }
    for (const { key, value } of entries)
      if (key.type === 'string') bind({ ...argument, keyword: key.value, constant: value });
  }

  function bind(argument: GivenArgument): void {
    const keyword = keywords.find((known) => known === argument.keyword);
    if (!keyword) {
      bound.unknown.push(argument);
    } else if (bound.given[keyword]) {
      const problem = `${keyword} is given twice`;
      bound.misplaced.push({ problem, fix: 'Remove one of them.', range: argument.keywordRange });
    } else {
      bound.given[keyword] = argument;
    }
  }
}
