/**
 * Adds the distribution that a function imports from to its endpoint's dependencies or to requirements.txt.
 */
import { PROJECT_FILES } from '../../contract/names.ts';
import type { Expression } from '../binder/Expression.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { isInBody } from '../declarations/servedBodies.ts';
import { declaredBy, requirementsOf } from '../environment/requirementsOf.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { isSameRange } from '../syntax/range.ts';
import { addArgument, quoted } from './callArguments.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { addSequenceItem } from './listEdits.ts';
import { SourceText } from './SourceText.ts';
import type { TextEdit } from './TextEdit.ts';

export function* addDependency({ project, index, found }: FixRequest): Fixes {
  const imported = importAt(index, found);
  if (!imported) return;
  const { dependencies } = project;
  const distribution = dependencies.distributionOf(imported.module, () => declaredBy(index.declarations));
  if (distribution === null) return;
  for (const declaration of imported.declarations) {
    const requirements = requirementsOf(index, declaration, dependencies);
    if (requirements === null || dependencies.provides(requirements, imported.module)) continue;
    yield* toEndpoint(project, declaration, distribution);
  }
  yield* toRequirements(project, distribution);
}

/** The dotted module at a finding, and the declarations whose body imports it. */
function importAt(index: ProjectIndex, { file, range }: FixRequest['found']) {
  const facts = index.names.factsOf(file);
  for (const { target, names, nameRanges, scope, range: whole } of facts?.imports ?? []) {
    const at = nameRanges.findIndex((one) => isSameRange(one, range));
    if (at === -1 && !isSameRange(whole, range)) continue;
    const module = at === -1 ? target.module : `${target.module}.${names![at]}`;
    const bodies = index.bodiesIn(file).filter(({ definition }) => isInBody(definition, facts!, scope));
    return { module, declarations: new Set(bodies.flatMap(({ declarations }) => declarations)) };
  }
  return null;
}

function* toEndpoint(project: ProjectView, declaration: Declaration, distribution: string): Fixes {
  const given = declaration.given.dependencies;
  const place: ListPlace | null = given
    ? listAt(project.index, declaration, given.expression)
    : { file: declaration.file, scope: declaration.scope, expression: null };
  const source = place && SourceText.of(project, place.file);
  if (!place || !source) return;
  const edits = editsAt(source, declaration, place.expression, distribution);
  if (!edits) return;
  const name = effectiveName(declaration);
  const title = `Add "${distribution}" to the dependencies of ${name === null ? 'this endpoint' : `"${name}"`}`;
  yield { title, file: place.file, edits, preferred: true };
}

/** Null for a tuple without parentheses. */
function editsAt(
  source: SourceText,
  declaration: Declaration,
  expression: Expression | null,
  distribution: string,
): TextEdit[] | null {
  const written = `[${quoted(distribution)}]`;
  if (!expression) return addArgument(source, declaration, ['dependencies', written]);
  if (expression.kind !== 'sequence') return [{ range: expression.range, newText: written }];
  const [first] = expression.items;
  return addSequenceItem(source, expression, quoted(distribution, first ? source.slice(first.range) : ''));
}

interface ListPlace {
  file: string;
  scope: number;
  /** Null when the endpoint has no dependencies yet. */
  expression: Expression | null;
}

/**
 * Where the list of dependencies, or None instead of a list, is written. Follows constants and shared
 * settings.
 */
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

/** Adds a line to requirements.txt. The file is not created. */
function* toRequirements(project: ProjectView, distribution: string): Fixes {
  const file = PROJECT_FILES.requirements;
  const source = SourceText.of(project, file);
  if (!source) return;
  const { text, lineEnd } = source;
  const isEnded = text === '' || text.endsWith('\n');
  const edits = [source.insert(text.length, `${isEnded ? '' : lineEnd}${distribution}${lineEnd}`)];
  yield { title: `Add "${distribution}" to ${file}`, file, edits };
}
