/**
 * The hardware table: GPU groups, GPU types and CPU types (data in hardware.json). Python's enums are
 * generated from it.
 */
import table from './hardware.json' with { type: 'json' };

/** Group member → GPU types that can serve it. `ANY` has an empty list, which means all. */
export const GPU_GROUPS: Readonly<Record<string, readonly string[]>> = table.gpuGroups;

/** GPU type → name of the card, as its driver reports it. */
export const GPU_TYPES: Readonly<Record<string, string>> = table.gpuTypes;

/** The CPU types that the rented platform offers, as written in `cpu="…"`. */
export const CPU_FORMS: readonly string[] = table.cpu;

/** `cpu<generation>-<vcpu>-<ram_gb>`, for example `cpu5c-4-8`. */
const CPU_FORM = /^cpu(\d+[a-z]+)-([1-9]\d*)-([1-9]\d*)$/;

/** The fields of a CPU type's name; `ramGb` is in GB. */
export interface CpuForm {
  generation: string;
  vcpu: number;
  ramGb: number;
}

/** Parses the name of a CPU type; null if it is malformed. */
export function parseCpuForm(text: string): CpuForm | null {
  const match = CPU_FORM.exec(text);
  if (!match) return null;
  return { generation: match[1]!, vcpu: Number(match[2]), ramGb: Number(match[3]) };
}

/** The member of `CpuInstanceType` for a CPU type: `cpu5c-4-8` → `CPU5C_4_8`. */
export function cpuMember(form: string): string {
  return form.toUpperCase().replaceAll('-', '_');
}

/** The group of a GPU type; null for an unknown type. */
export function groupOfGpuType(type: string): string | null {
  for (const [group, types] of Object.entries(GPU_GROUPS)) if (types.includes(type)) return group;
  return null;
}
