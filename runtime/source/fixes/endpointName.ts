/** Gives one declaration a unique name: replaces its name, or adds one as a new argument. */
import { PROJECT_LIMITS } from '../../contract/limits.ts';
import { fittingName } from '../../contract/names.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { variableOf } from '../declarations/variableOf.ts';
import { addArgument, isDirect, quoted } from './callArguments.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { declarationCalledAt, declarationNamedAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

/** Replaces a missing, reserved or invalid name with a valid one. */
export function* fitName(request: FixRequest): Fixes {
  const declaration = declarationNamedAt(request) ?? declarationCalledAt(request);
  if (!declaration) return;
  const variable = variableOf(request.index.names, declaration);
  const wanted = effectiveName(declaration) || suggestedName(declaration, variable);
  yield* named(request, declaration, fittingName(wanted) ?? 'my-endpoint');
}

/** Gives one of several declarations with the same name a unique name. */
export function* uniqueName(request: FixRequest): Fixes {
  const declaration = declarationNamedAt(request);
  const name = declaration && effectiveName(declaration);
  // An instance that decorates several functions gives all of them the same name, so renaming it does not
  // help.
  if (declaration && name && declaration.served.length <= 1) yield* named(request, declaration, name);
}

/** No fix when the name is inside `**settings`. */
function* named({ project, index }: FixRequest, declaration: Declaration, wanted: string): Fixes {
  const { file, given } = declaration;
  const source = SourceText.of(project, file);
  if (!source || (given.name && !isDirect(declaration, given.name))) return;
  const name = freeName(index, wanted);
  const range = given.name?.expression.range;
  const edits = range
    ? [{ range, newText: quoted(name, source.slice(range)) }]
    : addArgument(source, declaration, ['name', quoted(name)]);
  yield { title: `Name this endpoint "${name}"`, file, edits, preferred: true };
}

/** The name itself when no declaration has it, otherwise `name-2`, `name-3` and so on. */
export function freeName({ declarations }: ProjectIndex, name: string): string {
  const taken = new Set(declarations.map((declaration) => effectiveName(declaration)));
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const candidate = `${name.slice(0, PROJECT_LIMITS.nameLength - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/**
 * A name for an endpoint: the name of its function, of its variable unless that is generic, or of its file.
 */
function suggestedName({ file, served, form, given }: Declaration, variable: string | null): string {
  const [first] = served;
  if (first) return first.definition.name;
  if (form === 'table') {
    const command = given.command?.constant;
    const program = command?.type === 'list' ? command.items[0] : undefined;
    return program?.type === 'string' ? program.value.replace(/^.*\//, '').replace(/\.\w+$/, '') : 'endpoint';
  }
  const isDescriptive =
    variable !== null && !/^(?:api|app|lb|endpoint|router|server|service|ep|e)$/i.test(variable);
  return isDescriptive ? variable : file.replace(/(?:\/__init__)?\.py$/, '').replace(/^.*\//, '');
}
