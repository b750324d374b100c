/** Lowers the maximum workers of one declaration to what the others leave of the quota. */
import { DEFAULTS } from '../../contract/limits.ts';
import { effectiveName } from '../index/Declaration.ts';
import { maxWorkers, quotaShares } from '../index/quotaShares.ts';
import { addArgument, replaceRange } from './callArguments.ts';
import { type Fixer, fixIn } from './Fix.ts';
import { argumentAt, declarationCalledAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

export const lowerWorkers: Fixer = (project, found) => {
  const place = argumentAt(project.index, found);
  const declaration = place?.declaration ?? declarationCalledAt(project.index, found);
  const source = SourceText.of(project, found.file);
  if (!declaration || !source || (declaration.given.workers && !place)) return [];
  const { declarations } = project.index;
  const { quota } = project.config;
  const others = declarations.filter((other) => other !== declaration);
  const name = effectiveName(declaration);
  const room = quota - quotaShares(others).sum;
  // Another declaration of its name may take as much as it does.
  const isBound = others.some(
    (other) => name !== null && effectiveName(other) === name && maxWorkers(other) > 0,
  );
  if (isBound || room < 1 || room >= maxWorkers(declaration)) return [];
  const given = declaration.workers.state === 'known' ? declaration.workers.value.min : DEFAULTS.workersMin;
  const pair = `${Math.min(given, room)}, ${room}`;
  const isList = declaration.form === 'table' || place?.argument.constant.type === 'list';
  const edits = place
    ? replaceRange(source, place.argument.expression.range, isList ? `[${pair}]` : `(${pair})`)
    : addArgument(source, declaration, ['workers', `(${pair})`, `[${pair}]`]);
  const title = `Lower the maximum workers to ${room}, which the quota of ${quota} leaves`;
  return [fixIn({ title, file: found.file, edits, preferred: true })];
};
