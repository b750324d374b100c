import type { Range } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { type Arm, areExclusive, isRun, type Reach } from '../binder/reach.ts';
import type { Declaration, RouteDeclaration, ServedDefinition } from '../declarations/Declaration.ts';
import { instanceArguments } from '../declarations/instanceArguments.ts';
import type { FactsOf, NameResolver } from '../declarations/NameResolver.ts';
import { callEndpoint } from '../fixes/call-endpoint.ts';
import { comparePositions } from '../syntax/range.ts';
import type { Finding, FoundText } from './Finding.ts';
import { unboundNames } from './unboundNames.ts';

/**
 * A worker cannot load the declaration, or what it serves. For example:
 *
 * - It is under `if __name__ == "__main__"`.
 * - It is `@Endpoint` without parentheses.
 * - Its function is defined again later in the file.
 * - It is created by a function that the module calls or uses as a decorator.
 * - It uses a name before the module defines it, or one that is defined only under `if TYPE_CHECKING`.
 * - The module stops while it is imported, for example at `sys.exit()`.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
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
  *find(index, { python }) {
    yield* index.misuses('unsupported-form');
    yield* unboundNames(index, python);
    for (const declaration of index.declarations) {
      const { file, call } = declaration;
      const fault = callFault(declaration, index.names.factsOf);
      if (fault) yield { file, range: call.range, ...fault };
      yield* definitionFaults(declaration, index.names);
    }
  },
  fixes: [callEndpoint],
};

type Fault = Omit<FoundText, 'file' | 'range'>;

function callFault({ file, form, guard, call }: Declaration, factsOf: FactsOf): Fault | null {
  if (form === 'table') return null;
  if (guard === 'main' || guard === 'type-checking') {
    const block = guard === 'main' ? 'if __name__ == "__main__"' : 'if TYPE_CHECKING';
    return {
      message: `A worker does not run code under ${block}, so it would not find this declaration.`,
      fix: 'Move the declaration out of that block.',
    };
  }
  const exit = factsOf(file)?.exit;
  if (exit) return exitFault(file, exit, { what: 'this declaration', at: call.range });
  if (form !== 'loose') return null;
  return {
    message:
      'This declaration neither decorates a function nor is assigned to a name, so it cannot have routes.',
    fix: 'Use it as a decorator, or assign it to a module-level name.',
  };
}

function* definitionFaults(
  { file, call, form, guard, served, routes }: Declaration,
  names: NameResolver,
): Iterable<FoundText> {
  const isLost = Boolean(names.factsOf(file)?.exit);
  const isDecorator = form === 'decorator';
  const all: readonly (ServedDefinition | RouteDeclaration)[] = [...served, ...routes];
  for (const item of all) {
    const facts = names.factsOf(item.file);
    const isRoute = 'decorator' in item;
    const known = { guarded: isDecorator && guard !== null, cutOff: isLost && item.file === file };
    const fault = facts && faultOf(item, facts, names, { isRoute, ...known });
    const range = isDecorator ? call.range : item.definition.nameRange;
    if (fault) {
      yield { file: isDecorator ? file : item.file, range: isRoute ? item.decorator.range : range, ...fault };
    }
  }
}

/** When a module stops while it is imported, the import fails, no matter where in the module it stops. */
function exitFault(
  file: string,
  { text, range }: NonNullable<FileFacts['exit']>,
  { what, at }: { what: string; at: Range },
): Fault {
  const isBefore = comparePositions(range.start, at.start) < 0;
  return {
    message: `The module stops at "${text}" on line ${range.start.line + 1}, so a worker ${isBefore ? `would not reach ${what}` : `could not import ${what}`}.`,
    fix: 'Move that statement under if __name__ == "__main__".',
    related: [{ file, range, message: 'The module stops here.' }],
  };
}

/** `guarded` and `cutOff` are set when the finding at the call itself reports this already. */
function faultOf(
  { definition }: ServedDefinition,
  facts: FileFacts,
  names: NameResolver,
  { isRoute, guarded, cutOff }: { isRoute: boolean; guarded: boolean; cutOff: boolean },
): Fault | null {
  if (definition.kind === 'class' && isRoute) {
    return {
      message: `${definition.name} is a class, but a route runs a function.`,
      fix: 'Decorate a function that creates and uses an instance of the class.',
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
      message: `${definition.name} requires the argument ${needed}, but a worker creates its instance without arguments.`,
      fix: `Give ${needed} a default, or get its value inside __init__.`,
    };
  }
  if (facts.exit && !cutOff) {
    return exitFault(facts.file, facts.exit, { what: definition.name, at: definition.nameRange });
  }
  const later = facts.definitions.findLast(
    (other) =>
      other.name === definition.name &&
      other.scope === definition.scope &&
      (other === definition || replaces(other, definition)),
  );
  if (later && later !== definition) {
    return {
      message: `${definition.name} is defined again on line ${later.line}, so a worker would load that definition instead of this one.`,
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
      message: `Line ${taken.range.start.line + 1} assigns another value to ${definition.name}, so a worker would not find this ${definition.kind}.`,
      fix: 'Give one of them another name.',
      related: [
        {
          file: facts.file,
          range: taken.range,
          message: `${definition.name} is assigned another value here.`,
        },
      ],
    };
  }
  return null;
}

/** Whether a worker that runs the earlier of two definitions of a name always runs the later one too. */
function replaces(later: Reach, earlier: Reach): boolean {
  if (!isRun(later.guard) || areExclusive(later, earlier)) return false;
  const around = earlier.arms ?? [];
  const isInBranchOf = (later.arms ?? []).every((one) => around.some((other) => isSameArm(one, other)));
  return !later.conditional || (earlier.conditional === true && isInBranchOf);
}

function isSameArm(one: Arm, other: Arm): boolean {
  return one.line === other.line && one.character === other.character && one.arm === other.arm;
}
