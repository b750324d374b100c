/** Writes a GPU in the place of an argument's value, with the import that its name takes. */
import type { GpuMember } from '../declarations/argumentValues.ts';
import { quoted } from './callArguments.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import type { ArgumentPlace } from './findPlace.ts';
import { sdkName } from './sdkName.ts';

export function* writeGpu(
  { index, source }: FixRequest,
  { declaration, argument }: ArgumentPlace,
  { enum: owner, member }: GpuMember,
  preferred: boolean,
): Fixes {
  const { range } = argument.expression;
  if (declaration.form === 'table') {
    const newText = quoted(member, source.slice(range));
    yield { title: `Write gpu = "${member}"`, edits: [{ range, newText }], preferred };
    return;
  }
  const name = sdkName(index, source, declaration, owner);
  if (!name) return;
  const newText = `${name.name}.${member}`;
  yield { title: `Write gpu=${newText}`, edits: [...name.edits, { range, newText }], preferred };
}
