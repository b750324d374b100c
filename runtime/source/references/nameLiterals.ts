/**
 * A declaration's name → the string in the source that it comes from: a literal in the call, a constant in
 * any file, or an entry of `**SETTINGS`.
 */
import { entryOf } from '../declarations/Constant.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import { foldConstant, type TextOrigin, type Tracing, textKey } from '../declarations/foldConstant.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import { perIndex } from '../declarations/perIndex.ts';

/** Where a name is written. */
export interface NameLiteral extends Pick<TextOrigin, 'file' | 'range' | 'isWhole'> {
  declaration: Declaration;
  name: string;
}

/** One literal for each declaration whose name is given and known. */
export const nameLiterals: (index: ProjectIndex) => readonly NameLiteral[] = perIndex(collect);

function collect({ declarations, names }: ProjectIndex): NameLiteral[] {
  const each = declarations.map((declaration) => ({
    declaration,
    name: effectiveName(declaration),
    ...originOfName(names, declaration),
  }));
  return each.flatMap(({ declaration, name, origin }): NameLiteral[] => {
    const { given, file, call } = declaration;
    if (name === null || !given.name || declaration.name.state !== 'known' || !origin) return [];
    const { expression } = given.name;
    // If another endpoint's name depends on the same string, that string is not edited: the new name is
    // written in this declaration instead.
    const isShared = each.some((other) => other.name !== name && other.texts.includes(textKey(origin)));
    if (!isShared) return [{ declaration, name, ...origin }];
    const isSpread = call.arguments.some(({ value, spread }) => value === expression && spread === '**');
    return isSpread ? [] : [{ declaration, name, file, range: expression.range, isWhole: false }];
  });
}

/** Where a name comes from, and all strings that it may depend on. */
function originOfName(
  names: NameResolver,
  declaration: Declaration,
): { origin: TextOrigin | null; texts: readonly string[] } {
  const { given } = declaration;
  if (!given.name) return { origin: null, texts: [] };
  const tracing: Tracing = { origins: new WeakMap(), texts: new Set() };
  const folded = foldConstant(names, given.name.expression, declaration, tracing);
  const value = folded.type === 'dict' ? entryOf(folded, { type: 'string', value: 'name' }) : folded;
  const origin = tracing.origins.get(value) ?? null;
  return { origin, texts: origin?.texts ?? [...tracing.texts] };
}
