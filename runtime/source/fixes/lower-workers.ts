/** Lowers maximum workers to fit the quota: of one declaration to what the others leave, or of all to one most. */
import { DEFAULTS } from '../../contract/limits.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import { maxWorkers, quotaShares } from '../declarations/quotaShares.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { addArgument, isDirect, replaceRange } from './callArguments.ts';
import { type Fix, type Fixer, fixIn, type TextEdit } from './Fix.ts';
import { argumentAt, declarationCalledAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

export const lowerWorkers: Fixer = (project, found) => {
  const declaration =
    argumentAt(project.index, found)?.declaration ?? declarationCalledAt(project.index, found);
  return [...(declaration ? lowerOne(project, declaration) : []), ...lowerAll(project)];
};

function lowerOne(project: ProjectView, declaration: Declaration): Fix[] {
  const { quota } = project.config;
  const others = project.index.declarations.filter((other) => other !== declaration);
  const name = effectiveName(declaration);
  const room = quota - quotaShares(others).sum;
  // Another declaration of its name may take as much as it does.
  const isBound = others.some(
    (other) => name !== null && effectiveName(other) === name && maxWorkers(other) > 0,
  );
  if (isBound || room < 1 || room >= maxWorkers(declaration)) return [];
  const edits = lowered(project, declaration, room);
  const title = `Lower the maximum workers to ${room}, which the quota of ${quota} leaves`;
  return edits ? [fixIn({ title, file: declaration.file, edits, preferred: true })] : [];
}

/** The largest maximum with which all fit. */
function lowerAll(project: ProjectView): Fix[] {
  const { declarations } = project.index;
  const { quota } = project.config;
  const shares = [...quotaShares(declarations).byName.values()];
  const sumAt = (most: number) => shares.reduce((sum, share) => sum + Math.min(share, most), 0);
  let most = Math.max(0, ...shares);
  while (most > 0 && sumAt(most) > quota) most -= 1;
  if (most < 1) return [];
  const edits = new Map<string, TextEdit[]>();
  for (const declaration of declarations) {
    if (maxWorkers(declaration) <= most) continue;
    const made = lowered(project, declaration, most);
    if (!made) return [];
    edits.set(declaration.file, [...(edits.get(declaration.file) ?? []), ...made]);
  }
  const title = `Lower all maximum workers to at most ${most}, which fits the quota of ${quota}`;
  return [{ title, edits, safe: false, preferred: false }];
}

/** Null where workers stand inside of `**settings`. */
function lowered(project: ProjectView, declaration: Declaration, most: number): TextEdit[] | null {
  const source = SourceText.of(project, declaration.file);
  const { given, workers, form } = declaration;
  if (!source || (given.workers && !isDirect(declaration, given.workers))) return null;
  const min = workers.state === 'known' ? workers.value.min : DEFAULTS.workersMin;
  const pair = `${Math.min(min, most)}, ${most}`;
  if (!given.workers) return addArgument(source, declaration, ['workers', `(${pair})`, `[${pair}]`]);
  const isList = form === 'table' || given.workers.constant.type === 'list';
  return replaceRange(source, given.workers.expression.range, isList ? `[${pair}]` : `(${pair})`);
}
