import type { Range } from '../../contract/diagnostic.ts';
import type { Expression } from '../binder/Expression.ts';
import { type Constant, isDynamic, unfilled } from '../declarations/Constant.ts';
import { KEYWORDS, nameRange, outcomesOf } from '../declarations/Declaration.ts';
import type { Finding, FoundText } from './Finding.ts';

const FIX = 'Use a literal, or a module-level constant that is assigned once.';
const BRANCHES_FIX = 'Give it the same value in each branch.';
const ENV_FIX = 'Use a string, os.environ["NAME"] or os.getenv("NAME"). Variables are read when you deploy.';

/**
 * The value of an argument cannot be determined without running the code. `check` and the editor show this hint; `build` and
 * `deploy` refuse the endpoint. Constants are fine, and so are expressions of constants with operators,
 * string formatting, `dict(…)`, your own enums, and `str`, `int`, `len`, `max` or `min`. In `env`,
 * `os.environ[…]` and `os.getenv(…)` are fine too: they are filled in when you deploy.
 *
 * ```python
 * import os
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(workers=(0, int(os.environ["MOST"])))
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(workers=(0, 3))
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const dynamicValue: Finding = {
  code: 'dynamic-value',
  severity: 'hint',
  chapter: 'Arguments of Endpoint',
  *find({ declarations }) {
    for (const declaration of declarations) {
      const { file, form, given, open, routes } = declaration;
      if (form === 'table') continue;
      const outcomes = outcomesOf(declaration);
      for (const keyword of KEYWORDS) {
        const argument = given[keyword];
        if (!argument || outcomes[keyword].state !== 'dynamic') continue;
        const { expression } = argument;
        const constant = keyword === 'env' ? argument.constant : unfilled(argument.constant);
        const what = `the value of ${keyword}`;
        if (!isDynamic(constant)) {
          yield foundAt(file, expression.range, what, BRANCHES_FIX);
          continue;
        }
        const fix = keyword === 'env' ? ENV_FIX : FIX;
        for (const range of placesOf(expression, constant)) yield foundAt(file, range, what, fix);
      }
      for (const { range } of open) yield foundAt(file, range, 'these arguments');
      for (const { file: routed, path, expression, decorator } of routes) {
        if (path.state === 'dynamic') yield foundAt(routed, (expression ?? decorator).range, 'the path');
      }
      if (declaration.contested) yield contested(nameRange(declaration));
    }
  },
};

/** Functions with different names in branches that exclude each other. */
function contested({ file, range }: { file: string; range: Range }): FoundText {
  const what = 'which functions serve this endpoint';
  return foundAt(file, range, what, 'Give the functions the same names in each branch.');
}

/** The dynamic entries of a dict that is written in the call; otherwise the whole value. */
function placesOf(expression: Expression, constant: Constant): Range[] {
  if (expression.kind !== 'dict' || constant.type !== 'dict') return [expression.range];
  if (expression.entries.length !== constant.entries.length) return [expression.range];
  const entries = expression.entries.filter((_, at) => {
    const folded = constant.entries[at]!;
    return isDynamic(folded.key) || isDynamic(folded.value);
  });
  return entries.map(({ value }) => value.range);
}

function foundAt(file: string, range: Range, what: string, fix = FIX): FoundText {
  const message = `Cannot determine ${what} without running the code, so this endpoint cannot be built.`;
  return { file, range, message, fix };
}
