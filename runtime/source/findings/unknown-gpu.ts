/** A member that GpuGroup or GpuType does not have, with the one that was probably meant. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import type { GpuMember } from '../declarations/argumentValues.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import { nearest } from '../declarations/nearest.ts';
import { finding, type Rule } from './Finding.ts';

const MEMBERS = { GpuGroup: Object.keys(GPU_GROUPS), GpuType: Object.keys(GPU_TYPES) } as const;

export const unknownGpu: Rule = (index) =>
  index.declarations.flatMap((declaration): Diagnostic[] => {
    const { file, gpu, given } = declaration;
    if (declaration.form === 'table') return unknownName(declaration);
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

/** In TOML a name may be of either enumeration. */
function unknownName({ file, gpu, given }: Declaration): Diagnostic[] {
  const names = [...MEMBERS.GpuGroup, ...MEMBERS.GpuType];
  if (gpu.state !== 'known' || !given.gpu || names.includes(gpu.value.member)) return [];
  const { member } = gpu.value;
  const meant = nearest(member.replace(/^Gpu(?:Group|Type)\./, ''), names);
  return [
    finding('unknown-gpu', {
      file,
      range: given.gpu.expression.range,
      message: meant
        ? `"${member}" is the name of no GPU group or type; did you mean "${meant}"?`
        : `"${member}" is the name of no GPU group or type; there are ${names.join(', ')}.`,
      fix: `Write gpu = "${meant ?? 'ANY'}".`,
    }),
  ];
}

/** A member of the other enumeration by its exact name, else the nearest of the same one, else of the other. */
function meantMember({ enum: owner, member }: GpuMember): string | null {
  const other = owner === 'GpuGroup' ? 'GpuType' : 'GpuGroup';
  if (MEMBERS[other].includes(member)) return `${other}.${member}`;
  const near = nearest(member, MEMBERS[owner]);
  if (near !== null) return `${owner}.${near}`;
  const far = nearest(member, MEMBERS[other]);
  return far && `${other}.${far}`;
}
