/** A member that GpuGroup or GpuType does not have, with the one that was probably meant. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import type { GpuMember } from '../index/argumentValues.ts';
import { nearest } from './nearest.ts';
import { finding, type Rule } from './rule.ts';

const MEMBERS = { GpuGroup: Object.keys(GPU_GROUPS), GpuType: Object.keys(GPU_TYPES) } as const;

export const unknownGpu: Rule = (index) =>
  index.declarations.flatMap(({ file, gpu, given }): Diagnostic[] => {
    if (gpu.state !== 'known' || !given.gpu || MEMBERS[gpu.value.enum].includes(gpu.value.member)) return [];
    const meant = meantMember(gpu.value);
    const written = `${gpu.value.enum} has no member ${gpu.value.member}`;
    return [
      finding('unknown-gpu', {
        file,
        range: given.gpu.expression.range,
        message: meant
          ? `${written}; did you mean ${meant}?`
          : `${written}; it has ${MEMBERS[gpu.value.enum].join(', ')}.`,
        fix: `Write gpu=${meant ?? 'GpuGroup.ANY'}.`,
      }),
    ];
  });

/** A member of the other enumeration by its exact name, else the nearest of the same one. */
function meantMember({ enum: owner, member }: GpuMember): string | null {
  const other = owner === 'GpuGroup' ? 'GpuType' : 'GpuGroup';
  if (MEMBERS[other].includes(member)) return `${other}.${member}`;
  const near = nearest(member, MEMBERS[owner]);
  return near && `${owner}.${near}`;
}
