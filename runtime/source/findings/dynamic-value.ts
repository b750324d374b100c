/** A value that only running the code could tell: found at the value, and refused by build, deploy and dev. */
import type { Diagnostic, Range } from '../../contract/diagnostic.ts';
import type { Expression } from '../binder/Expression.ts';
import { type Constant, isDynamic } from '../declarations/Constant.ts';
import { type Declaration, KEYWORDS, nameRange, outcomesOf } from '../declarations/Declaration.ts';
import { finding, type Rule } from './Finding.ts';

const FIX = 'Write a literal, or a constant of a module that is assigned once.';
const ENV_FIX = 'Write a string, or read it at deploy with os.environ["NAME"] or os.getenv("NAME").';

export const dynamicValue: Rule = (index) =>
  index.declarations.flatMap((declaration) => {
    const { file, form, given, open, routes } = declaration;
    if (form === 'table') return [];
    const outcomes = outcomesOf(declaration);
    const values = KEYWORDS.flatMap((keyword) => {
      const argument = given[keyword];
      if (!argument || outcomes[keyword].state !== 'dynamic') return [];
      const what = `the value of ${keyword}`;
      const fix = keyword === 'env' ? ENV_FIX : FIX;
      return placesOf(argument.expression, argument.constant).map((range) => report(file, range, what, fix));
    });
    const spreads = open.map(({ range }) => report(file, range, 'these arguments'));
    const paths = routes.flatMap((route) => {
      if (route.path.state !== 'dynamic') return [];
      return [report(route.file, route.expression?.range ?? route.decorator.range, 'the path')];
    });
    return [...values, ...spreads, ...paths, ...contest(declaration)];
  });

/** Functions of other names in branches of which only the worker takes one. */
function contest(declaration: Declaration): Diagnostic[] {
  if (!declaration.contested) return [];
  const what = 'which functions serve this endpoint';
  return [
    report(
      nameRange(declaration).file,
      nameRange(declaration).range,
      what,
      'Give them the same names in each branch.',
    ),
  ];
}

/** The entries of a dict that are dynamic where it is written in the call; else the whole value. */
function placesOf(expression: Expression, constant: Constant): Range[] {
  if (expression.kind !== 'dict' || constant.type !== 'dict') return [expression.range];
  if (expression.entries.length !== constant.entries.length) return [expression.range];
  const entries = expression.entries.filter((_, at) => {
    const folded = constant.entries[at]!;
    return isDynamic(folded.key) || isDynamic(folded.value);
  });
  return entries.map(({ value }) => value.range);
}

function report(file: string, range: Range, what: string, fix = FIX): Diagnostic {
  return finding('dynamic-value', {
    file,
    range,
    message: `Only running the code could tell ${what}, so this endpoint cannot be built.`,
    fix,
  });
}
