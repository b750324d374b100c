/** How a name of toolkit_sdk is written in a file, with the import that it takes where the file has none. */

import { SDK_MODULE } from '../../contract/names.ts';
import type { Declaration } from '../index/Declaration.ts';
import type { EnumName } from '../index/foldConstant.ts';
import type { ProjectIndex } from '../index/ProjectIndex.ts';
import type { TextEdit } from './Fix.ts';
import type { SourceText } from './SourceText.ts';

/** The name as a declaration's file may write it at the declaration's place. */
export function sdkName(
  { names }: ProjectIndex,
  source: SourceText,
  { file, call }: Pick<Declaration, 'file' | 'call'>,
  wanted: EnumName | 'Endpoint',
): { name: string; edits: TextEdit[] } {
  const facts = names.factsOf(file);
  for (const name of [wanted, ...Object.keys(facts?.scopes[0]?.bindings ?? {})]) {
    const entities = names.resolve(file, 0, [name]);
    const [entity] = entities;
    if (entities.length !== 1 || entity?.kind !== 'sdk') continue;
    if (entity.path.length === 1 && entity.path[0] === wanted) return { name, edits: [] };
  }
  // `toolkit_sdk.Endpoint(…)`: the others stand beside it.
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
  const [first] = facts?.imports ?? [];
  const line = first ? source.startOfLine(source.offset(first.range.start)) : 0;
  const statement = `from ${SDK_MODULE} import ${wanted}${source.lineEnd}`;
  return { name: wanted, edits: [source.insert(line, statement)] };
}
