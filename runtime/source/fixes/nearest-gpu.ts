/** Writes the GPU member that was probably meant, or the group that takes whichever is free. */
import { GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import { DEFAULTS } from '../../contract/limits.ts';
import type { GpuMember } from '../declarations/argumentValues.ts';
import { nearest } from '../declarations/nearest.ts';
import { quoted, replaceRange } from './callArguments.ts';
import { type Fix, type Fixer, fixIn } from './Fix.ts';
import { argumentAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';
import { sdkName } from './sdkName.ts';

const GROUPS = Object.keys(GPU_GROUPS);
const TYPES = Object.keys(GPU_TYPES);

export const nearestGpu: Fixer = (project, found) => {
  const place = argumentAt(project.index, found);
  const source = SourceText.of(project, found.file);
  if (!place || !source || place.declaration.gpu.state !== 'known') return [];
  const { declaration, argument } = place;
  const { range } = argument.expression;
  const meant = meantMembers(place.declaration.gpu.value);
  return meant.flatMap((gpu, at): Fix[] => {
    const preferred = at === 0 && meant.length > 1;
    if (declaration.form === 'table') {
      const edits = replaceRange(source, range, quoted(gpu.member, source.slice(range)));
      return [fixIn({ title: `Write gpu = "${gpu.member}"`, file: found.file, edits, preferred })];
    }
    const owner = sdkName(project.index, source, declaration, gpu.enum);
    if (!owner) return [];
    const written = `${owner.name}.${gpu.member}`;
    const edits = [...owner.edits, ...replaceRange(source, range, written)];
    return [fixIn({ title: `Write gpu=${written}`, file: found.file, edits, preferred })];
  });
};

/** The nearest of its own enumeration, or the same of the other one; then any GPU. */
function meantMembers({ enum: owner, member }: GpuMember): GpuMember[] {
  const name = member.replace(/^Gpu(?:Group|Type)\./, '');
  const any: GpuMember = { enum: 'GpuGroup', member: DEFAULTS.gpu };
  const own = owner === 'GpuGroup' ? GROUPS : TYPES;
  const other = owner === 'GpuGroup' ? TYPES : GROUPS;
  const near = other.includes(name) ? name : (nearest(name, own) ?? nearest(name, other));
  if (near === null || near === any.member) return [any];
  return [{ enum: GROUPS.includes(near) ? 'GpuGroup' : 'GpuType', member: near }, any];
}
