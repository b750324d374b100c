/** Another name for one declaration: one that is free, written where its name stands or as a new argument. */
import { PROJECT_LIMITS } from '../../contract/limits.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { addArgument, isDirect, quoted } from './callArguments.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { SourceText } from './SourceText.ts';

/** None where the name stands inside of `**settings`, or serves several functions at once. */
export function* nameFix({ project, index }: FixRequest, declaration: Declaration, wanted: string): Fixes {
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

/** The name itself when no declaration has it, else `name-2`, `name-3` and so on. */
export function freeName({ declarations }: ProjectIndex, name: string): string {
  const taken = new Set(declarations.map((declaration) => effectiveName(declaration)));
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const candidate = `${name.slice(0, PROJECT_LIMITS.nameLength - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** What an endpoint is probably called by: its function, its variable unless that says nothing, or its file. */
export function suggestedName({ file, served, form, given }: Declaration, variable: string | null): string {
  const [first] = served;
  if (first) return first.definition.name;
  if (form === 'table') {
    const command = given.command?.constant;
    const program = command?.type === 'list' ? command.items[0] : undefined;
    return program?.type === 'string' ? program.value.replace(/^.*\//, '').replace(/\.\w+$/, '') : 'endpoint';
  }
  const isTelling =
    variable !== null && !/^(?:api|app|lb|endpoint|router|server|service|ep|e)$/i.test(variable);
  return isTelling ? variable : file.replace(/(?:\/__init__)?\.py$/, '').replace(/^.*\//, '');
}
