/** After `GpuGroup.` and the like: the members, with what they stand for; after `toolkit_sdk.` its names. */
import { CompletionItemKind } from 'vscode-languageserver';
import { cpuMember, GPU_GROUPS, GPU_TYPES } from '../../runtime/contract/hardware.ts';
import type { Offer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import type { PythonContext } from './feature.ts';
import { CPU_CHOICES, describeCpu, describeGpu } from './hardwareText.ts';
import { sdkName } from './missingImport.ts';
import { SDK_TEXTS } from './sdkTexts.ts';

/** The enumerations whose members are arguments. */
export const ENUM_MEMBERS = {
  GpuGroup: Object.keys(GPU_GROUPS),
  GpuType: Object.keys(GPU_TYPES),
  CpuInstanceType: CPU_CHOICES.map(cpuMember),
} as const;

type EnumName = keyof typeof ENUM_MEMBERS;

/** Offers after a dot. */
export function memberOffers(context: PythonContext, cursor: Cursor, scope: number): Offer[] {
  const { project, document } = context;
  const { owner } = cursor;
  const entities = project.index.names.resolve(document.file, scope, owner);
  for (const entity of entities) {
    if (entity.kind !== 'sdk') continue;
    if (entity.path.length === 0) return sdkOffers();
    const known = enumOf(entity.path.at(-1)!);
    if (known) return enumOffers(known);
  }
  const unimported = entities.length === 0 && owner.length === 1 ? enumOf(owner[0]!) : null;
  if (!unimported) return [];
  const { edits } = sdkName(context, unimported);
  return enumOffers(unimported).map((offer) => ({ ...offer, edits }));
}

/** The members of an enumeration. */
export function enumOffers(name: EnumName): Offer[] {
  return ENUM_MEMBERS[name].map((label) => {
    return { label, kind: CompletionItemKind.EnumMember, detail: describeMember(name, label) };
  });
}

/** What a member of toolkit_sdk's enumerations stands for; null for what is not one. */
export function describeMember(name: string, member: string): string | null {
  if (name !== 'CpuInstanceType') return describeGpu(member);
  const form = CPU_CHOICES.find((known) => cpuMember(known) === member);
  return form === undefined ? null : describeCpu(form);
}

/** The names of toolkit_sdk. */
export function sdkOffers(): Offer[] {
  return Object.entries(SDK_TEXTS).map(([label, { kind, documentation }]) => ({
    label,
    kind,
    documentation,
  }));
}

function enumOf(name: string): EnumName | null {
  return Object.hasOwn(ENUM_MEMBERS, name) ? (name as EnumName) : null;
}
