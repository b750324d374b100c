import type { Range, RelatedLocation } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { areExclusive, isRun } from '../binder/reach.ts';
import type { Declaration, ServedDefinition } from '../declarations/Declaration.ts';
import { instanceArguments } from '../declarations/instanceArguments.ts';
import type { FactsOf, NameResolver } from '../declarations/NameResolver.ts';
import { callEndpoint } from '../fixes/call-endpoint.ts';
import type { Finding, FoundText } from './Finding.ts';

/**
 * No worker could load the declaration: it is under `if __name__ == "__main__"`, is `@Endpoint` without parentheses,
 * is on a function that is defined again, or is made by a function that a name of the module gets it from.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Repaired:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const unsupportedForm: Finding = {
  code: 'unsupported-form',
  severity: 'error',
  chapter: 'Functions and classes',
  *find(index) {
    yield* index.misuses('unsupported-form');
    for (const declaration of index.declarations) {
      yield* callFault(declaration, index.names.factsOf);
      yield* definitionFaults(declaration, index.names);
    }
  },
  fixes: [callEndpoint],
};

function callFault(declaration: Declaration, factsOf: FactsOf): FoundText[] {
  const { file, form, guard, call } = declaration;
  if (form === 'table') return [];
  if (guard === 'main' || guard === 'type-checking') {
    const block = guard === 'main' ? 'if __name__ == "__main__"' : 'if TYPE_CHECKING';
    return [
      report(
        file,
        call.range,
        `A worker does not run what is under ${block}, so it would not find this declaration.`,
        'Move the declaration out of that block.',
      ),
    ];
  }
  const exit = factsOf(file)?.exit;
  if (exit && isBefore(exit.range, call.range)) {
    return [
      report(
        file,
        call.range,
        `${endsAt(exit)}, so a worker would not come to this declaration.`,
        MOVE_EXIT,
        exitPlace(file, exit),
      ),
    ];
  }
  if (form !== 'loose') return [];
  return [
    report(
      file,
      call.range,
      'This declaration neither decorates a function nor has a name by which routes could be added.',
      'Write it as a decorator, or assign it to a name of the module.',
    ),
  ];
}

function definitionFaults(
  { file, call, form, guard, served, routes }: Declaration,
  names: NameResolver,
): FoundText[] {
  const { factsOf } = names;
  const faults: FoundText[] = [];
  const queue = served.map((item) => ({
    item,
    isRoute: false,
    range: form === 'decorator' ? call.range : item.definition.nameRange,
  }));
  const exit = factsOf(file)?.exit;
  const cutOff = exit !== null && exit !== undefined && isBefore(exit.range, call.range);
  const lb = routes.map((item) => ({ item, isRoute: true, range: item.decorator.range }));
  for (const { item, isRoute, range } of [...queue, ...lb]) {
    const facts = factsOf(item.file);
    const place = form === 'decorator' ? file : item.file;
    const guarded = form === 'decorator' && guard !== null;
    const fault =
      facts && faultOf(item, facts, names, { isRoute, guarded, cutOff: cutOff && item.file === file });
    if (fault) faults.push(report(place, range, fault.message, fault.fix, fault.related));
  }
  return faults;
}

const MOVE_EXIT = 'Move that statement under if __name__ == "__main__".';

function endsAt({ text, range }: NonNullable<FileFacts['exit']>): string {
  return `The module ends at "${text}" in line ${range.start.line + 1}`;
}

function exitPlace(file: string, { range }: NonNullable<FileFacts['exit']>): RelatedLocation[] {
  return [{ file, range, message: 'The module ends here.' }];
}

interface Fault {
  message: string;
  fix: string;
  related?: RelatedLocation[];
}

/** `guarded` and `cutOff` when the finding about the call's own place says it already. */
function faultOf(
  { definition }: ServedDefinition,
  facts: FileFacts,
  names: NameResolver,
  { isRoute, guarded, cutOff }: { isRoute: boolean; guarded: boolean; cutOff: boolean },
): Fault | null {
  if (definition.kind === 'class' && isRoute) {
    return {
      message: `${definition.name} is a class, and a route runs a function.`,
      fix: 'Decorate a function that makes and uses the class.',
    };
  }
  const around = facts.scopes[definition.scope]!;
  if (definition.kind === 'function' && around.kind === 'class') {
    return {
      message: `${definition.name} is inside the class ${around.name}, where a worker cannot import it.`,
      fix: 'Move the function to the top level of the module.',
    };
  }
  if (!guarded && (definition.guard === 'main' || definition.guard === 'type-checking')) {
    return {
      message: `${definition.name} is in a block that a worker does not run.`,
      fix: `Move the ${definition.kind} out of that block.`,
    };
  }
  const [needed] = definition.kind === 'class' ? instanceArguments(names, facts.file, definition) : [];
  if (needed !== undefined) {
    return {
      message: `${definition.name} cannot be made without ${needed}, and a worker makes its instance without arguments.`,
      fix: `Give ${needed} a default, or find its value inside __init__.`,
    };
  }
  if (facts.exit && !cutOff && facts.exit.range.start.line < definition.line - 1) {
    return {
      message: `${endsAt(facts.exit)}, so a worker would not come to ${definition.name}.`,
      fix: MOVE_EXIT,
      related: exitPlace(facts.file, facts.exit),
    };
  }
  const later = facts.definitions.findLast(
    (other) =>
      other.name === definition.name &&
      other.scope === definition.scope &&
      isRun(other.guard) &&
      !areExclusive(other, definition),
  );
  if (later && later !== definition) {
    return {
      message: `${definition.name} is defined again in line ${later.line}, so a worker would load that one.`,
      fix: 'Give one of them another name.',
      related: [
        { file: facts.file, range: later.nameRange, message: `${definition.name} is defined again here.` },
      ],
    };
  }
  const taken = facts.overwritten.find(
    ({ name, range }) =>
      definition.scope === 0 && name === definition.name && range.start.line >= definition.line,
  );
  if (taken) {
    return {
      message: `Line ${taken.range.start.line + 1} gives the name ${definition.name} to something else, so a worker would not find this ${definition.kind} by it.`,
      fix: 'Give one of them another name.',
      related: [
        {
          file: facts.file,
          range: taken.range,
          message: `The name ${definition.name} is given to something else here.`,
        },
      ],
    };
  }
  return null;
}

function isBefore({ start }: Range, { start: other }: Range): boolean {
  return start.line < other.line || (start.line === other.line && start.character < other.character);
}

function report(
  file: string,
  range: Range,
  message: string,
  fix: string,
  related: RelatedLocation[] = [],
): FoundText {
  return { file, range, message, fix, related };
}
