/**
 * How to write a name of toolkit_sdk in a file, with the import that it needs when the file does not have it.
 */

import { SDK_MODULE } from '../../contract/names.ts';
import type { GpuMember } from '../declarations/argumentValues.ts';
import type { EnumName } from '../declarations/Constant.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { quoted } from './callArguments.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import type { ArgumentPlace } from './findPlace.ts';
import type { SourceText } from './SourceText.ts';
import type { TextEdit } from './TextEdit.ts';

/**
 * The name as it can be written in a declaration's file; null when there is no clear position for the import.
 */
export function sdkName(
  { names }: ProjectIndex,
  source: SourceText,
  { file, call }: Pick<Declaration, 'file' | 'call'>,
  wanted: EnumName | 'Endpoint',
): { name: string; edits: TextEdit[] } | null {
  const facts = names.factsOf(file);
  for (const name of [wanted, ...Object.keys(facts?.scopes[0]?.bindings ?? {})]) {
    const entities = names.resolve(file, 0, [name]);
    const [entity] = entities;
    if (entities.length !== 1 || entity?.kind !== 'sdk') continue;
    if (entity.path.length === 1 && entity.path[0] === wanted) return { name, edits: [] };
  }
  // With `toolkit_sdk.Endpoint(…)`, the other names come from the same module.
  if (call.callee.length > 1) return { name: [...call.callee.slice(0, -1), wanted].join('.'), edits: [] };
  const imported = facts?.imports.find(
    ({ target, names: members, scope, guard }) =>
      target.folder === null &&
      target.module === SDK_MODULE &&
      members !== null &&
      scope === 0 &&
      guard === null,
  );
  const at = imported?.nameRanges[0];
  if (at && imported.names?.[0] !== '*') {
    return { name: wanted, edits: [source.insert(source.offset(at.start), `${wanted}, `)] };
  }
  // The first import statement at the start of a line, so not one in a block or after another statement.
  const lines = (facts?.imports ?? [])
    .filter(({ scope }) => scope === 0)
    .map(({ range }) => source.startOfLine(source.offset(range.start)));
  const line = lines.find((start) => /^(?:import|from)\b/.test(source.text.slice(start, start + 10)));
  if (line === undefined) return null;
  const statement = `from ${SDK_MODULE} import ${wanted}${source.lineEnd}`;
  return { name: wanted, edits: [source.insert(line, statement)] };
}

/** Replaces an argument's value with a GPU. */
export function* writeGpu(
  { index, source }: FixRequest,
  { declaration, argument }: ArgumentPlace,
  { enum: owner, member }: GpuMember,
  preferred: boolean,
): Fixes {
  const { range } = argument.expression;
  if (declaration.form === 'table') {
    const newText = quoted(member, source.slice(range));
    yield { title: `Change to gpu = "${member}"`, edits: [{ range, newText }], preferred };
    return;
  }
  const name = sdkName(index, source, declaration, owner);
  if (!name) return;
  const newText = `${name.name}.${member}`;
  yield { title: `Change to gpu=${newText}`, edits: [...name.edits, { range, newText }], preferred };
}
