/** Adds the distribution that a body imports from: to its endpoint's dependencies, or to requirements.txt. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { Expression } from '../binder/Expression.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { isInBody } from '../declarations/servedBodies.ts';
import { declaredBy, requirementsOf } from '../environment/requirementsOf.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { addArgument, quoted, replaceRange } from './callArguments.ts';
import { type Fix, type Fixer, fixIn } from './Fix.ts';
import { isSame } from './findPlace.ts';
import { SourceText } from './SourceText.ts';
import { addSequenceItem } from './sequences.ts';

export const addDependency: Fixer = (project, found) => {
  const imported = importAt(project, found);
  if (!imported) return [];
  const { dependencies, index } = project;
  const distribution = dependencies.distributionOf(imported.module, () => declaredBy(index.declarations));
  if (distribution === null) return [];
  const lacking = imported.declarations.filter((declaration) => {
    const requirements = requirementsOf(index, declaration, dependencies);
    return requirements !== null && !dependencies.provides(requirements, imported.module);
  });
  const own = lacking.flatMap((declaration) => toEndpoint(project, declaration, distribution));
  return [...own, ...toRequirements(project, distribution)];
};

/** The dotted module at a finding, and the declarations whose body imports it. */
function importAt({ index }: ProjectView, { file, range }: Diagnostic) {
  const facts = index.names.factsOf(file);
  for (const { target, names, nameRanges, scope, range: whole } of facts?.imports ?? []) {
    const at = nameRanges.findIndex((one) => isSame(one, range));
    if (at === -1 && !isSame(whole, range)) continue;
    const module = at === -1 ? target.module : `${target.module}.${names![at]}`;
    const bodies = index.bodiesIn(file).filter(({ definition }) => isInBody(definition, facts!, scope));
    return { module, declarations: [...new Set(bodies.flatMap(({ declarations }) => declarations))] };
  }
  return null;
}

function toEndpoint(project: ProjectView, declaration: Declaration, distribution: string): Fix[] {
  const name = effectiveName(declaration);
  const title = `Add "${distribution}" to the dependencies of ${name === null ? 'this endpoint' : `"${name}"`}`;
  const given = declaration.given.dependencies;
  if (!given) {
    const source = SourceText.of(project, declaration.file);
    if (!source) return [];
    const edits = addArgument(source, declaration, ['dependencies', `[${quoted(distribution)}]`]);
    return [fixIn({ title, file: declaration.file, edits, preferred: true })];
  }
  const place = listAt(project.index, declaration, given.expression);
  const source = place && SourceText.of(project, place.file);
  if (!place || !source) return [];
  const { expression, file } = place;
  if (expression.kind !== 'sequence') {
    const edits = replaceRange(source, expression.range, `[${quoted(distribution)}]`);
    return [fixIn({ title, file, edits, preferred: true })];
  }
  const [first] = expression.items;
  const item = quoted(distribution, first ? source.slice(first.range) : '');
  const edits = addSequenceItem(source, expression, item);
  return edits ? [fixIn({ title, file, edits, preferred: true })] : [];
}

interface ListPlace {
  file: string;
  scope: number;
  expression: Expression;
}

/** Where the list is written out, or None stands for one; constants and shared settings are followed. */
function listAt(
  index: ProjectIndex,
  { file, scope }: Pick<Declaration, 'file' | 'scope'>,
  expression: Expression,
  depth = 0,
): ListPlace | null {
  const follow = (next: Expression, place = { file, scope }) =>
    depth > 20 ? null : listAt(index, place, next, depth + 1);
  switch (expression.kind) {
    case 'sequence':
    case 'none':
      return { file, scope, expression };
    case 'binary':
      return expression.operator === '+' ? (follow(expression.right) ?? follow(expression.left)) : null;
    case 'dict': {
      const entry = expression.entries.find(
        ({ key }) => key?.kind === 'string' && key.value === 'dependencies',
      );
      return entry ? follow(entry.value) : null;
    }
    case 'reference': {
      const entities = index.names.resolve(file, scope, expression.path);
      const entity = entities.length === 1 ? entities[0]! : null;
      return entity?.kind === 'value' ? follow(entity.expression, entity) : null;
    }
    default:
      return null;
  }
}

/** A file of its own is not made for it. */
function toRequirements(project: ProjectView, distribution: string): Fix[] {
  const file = PROJECT_FILES.requirements;
  const source = SourceText.of(project, file);
  if (!source) return [];
  const { text, lineEnd } = source;
  const isEnded = text === '' || text.endsWith('\n');
  const line = isEnded ? `${distribution}${lineEnd}` : `${lineEnd}${distribution}${lineEnd}`;
  const edits = [source.insert(text.length, line)];
  return [fixIn({ title: `Add "${distribution}" to ${file}`, file, edits })];
}
