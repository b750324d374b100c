import { type Declaration, TABLE_KEYS } from '../declarations/Declaration.ts';
import { requirementFault } from '../environment/requirementFault.ts';
import { validArgument } from '../fixes/valid-argument.ts';
import type { Finding, FoundText } from './Finding.ts';
import { invalidValues, itemRange } from './invalidValues.ts';

/** `cpu` and `workers` have their own codes. */
const KEYS = TABLE_KEYS.filter((key) => key !== 'cpu' && key !== 'workers');

/**
 * An argument other than `cpu` or `workers` has an invalid value: the wrong type, a number out of range, or a
 * dependency that is not a valid requirement. This error is also reported for an argument that is given
 * twice, and for a positional argument that `Endpoint` or a route does not take: `Endpoint` takes only its
 * name, and a route only its path.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(idle_timeout="60")
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(idle_timeout=60)
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const invalidArgument: Finding = {
  code: 'invalid-argument',
  severity: 'error',
  chapter: 'Arguments of Endpoint',
  *find(index) {
    yield* invalidValues(index, KEYS);
    yield* index.declarations.flatMap(faultyRequirements);
    for (const { file, misplaced } of index.declarations.flatMap((one) => [one, ...one.routes])) {
      for (const { problem, fix, range } of misplaced) yield { file, range, message: `${problem}.`, fix };
    }
    for (const { file, range } of index.ask.misplaced(index.file)) {
      yield {
        file,
        range,
        message: 'tool.toolkit.endpoints must be a list of tables, one for each endpoint.',
        fix: 'Start each endpoint with the line [[tool.toolkit.endpoints]].',
      };
    }
  },
  fixes: [validArgument],
};

function faultyRequirements({ file, dependencies, given }: Declaration): FoundText[] {
  if (dependencies.state !== 'known' || !given.dependencies) return [];
  const { expression } = given.dependencies;
  return dependencies.value.flatMap((text, at) => {
    const fault = requirementFault(text);
    if (!fault) return [];
    return [
      { file, range: itemRange(expression, at), message: `This endpoint ${fault.problem}.`, fix: fault.fix },
    ];
  });
}
