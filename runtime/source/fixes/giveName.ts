/** Writes another name into one declaration: where its name stands, or as a new argument. */
import type { Declaration } from '../declarations/Declaration.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { addArgument, isDirect, quoted, replaceRange } from './callArguments.ts';
import type { TextEdit } from './Fix.ts';
import { SourceText } from './SourceText.ts';

/** Null where the name stands inside of `**settings`, or serves several functions at once. */
export function giveName(project: ProjectView, declaration: Declaration, name: string): TextEdit[] | null {
  const source = SourceText.of(project, declaration.file);
  if (!source) return null;
  const { given } = declaration;
  if (!given.name) return addArgument(source, declaration, ['name', quoted(name)]);
  if (!isDirect(declaration, given.name)) return null;
  const { range } = given.name.expression;
  return replaceRange(source, range, quoted(name, source.slice(range)));
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
