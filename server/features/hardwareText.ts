/** Describes GPU members and CPU types in words. */
import {
  CPU_FORMS,
  GPU_GROUPS,
  GPU_TYPES,
  groupOfGpuType,
  parseCpuForm,
} from '../../runtime/contract/hardware.ts';

/** All CPU types in the order in which they are offered: newest generation first, then by size. */
export const CPU_CHOICES: readonly string[] = CPU_FORMS.toSorted((a, b) => {
  const other = sizeOf(b);
  return sizeOf(a).reduce<number>((order, value, at) => order || value - other[at]!, 0);
});

function sizeOf(form: string): readonly [number, number, number, number] {
  const { generation, vcpu, ramGb } = parseCpuForm(form)!;
  return [-Number.parseInt(generation, 10), generation.endsWith('c') ? 0 : 1, vcpu, ramGb];
}

/** The cards and memory of a member of GpuGroup or GpuType; null for an unknown one. */
export function describeGpu(member: string): string | null {
  if (Object.hasOwn(GPU_GROUPS, member)) {
    const cards = GPU_GROUPS[member]!;
    if (cards.length === 0) return 'any card, for the best availability';
    return `${cards.map((card) => GPU_TYPES[card] ?? card).join(', ')}${memoryOf(member)}`;
  }
  const card = Object.hasOwn(GPU_TYPES, member) ? GPU_TYPES[member]! : null;
  const group = groupOfGpuType(member);
  return card === null ? null : `${card}${group ? memoryOf(group) : ''}`;
}

/** The name of a group contains the memory of its smallest card. */
function memoryOf(group: string): string {
  const gigabytes = /_(\d+)(?:_|$)/.exec(group)?.[1];
  const cards = GPU_GROUPS[group]?.length ?? 0;
  if (gigabytes === undefined) return '';
  return ` · ${cards > 1 ? 'at least ' : ''}${gigabytes} GB`;
}

/** `4 vCPU, 8 GB RAM`; null for a malformed form. */
export function describeCpu(form: string): string | null {
  const parts = parseCpuForm(form);
  return parts && `${parts.vcpu} vCPU, ${parts.ramGb} GB RAM`;
}
