/** Hardware: values of `gpu=` and `cpu=`, and members after `GpuGroup.` and the like. After `toolkit_sdk.`, its names. */
import { CompletionItemKind } from 'vscode-languageserver';
import { cpuMember, GPU_GROUPS, GPU_TYPES } from '../../runtime/contract/hardware.ts';
import type { CursorContext } from './atCursor.ts';
import type { ArgumentPlace } from './callArguments.ts';
import { type EditPlace, type Offer, textOffer } from './completionItems.ts';
import { CPU_CHOICES, describeCpu, describeGpu } from './hardwareText.ts';
import { sdkName } from './missingImport.ts';
import { SDK_TEXTS } from './sdkTexts.ts';

/** The enums whose members are arguments. */
export const ENUM_MEMBERS = {
  GpuGroup: Object.keys(GPU_GROUPS),
  GpuType: Object.keys(GPU_TYPES),
  CpuInstanceType: CPU_CHOICES.map(cpuMember),
} as const;

type EnumName = keyof typeof ENUM_MEMBERS;

/** Offers after a dot. */
export function memberOffers(context: CursorContext): Offer[] {
  const { project, document, cursor, scope } = context;
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

/** The members of an enum. */
function enumOffers(name: EnumName): Offer[] {
  return ENUM_MEMBERS[name].map((label) => {
    return { label, kind: CompletionItemKind.EnumMember, detail: describeMember(name, label) };
  });
}

/** Describes a member of toolkit_sdk's enums; null for an unknown member. */
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

/** Values of `gpu=`. Groups come first: any free GPU of a group can serve the endpoint. */
export function gpuOffers(context: CursorContext, { begun }: ArgumentPlace): Offer[] {
  if (begun || context.cursor.string) return [];
  return (['GpuGroup', 'GpuType'] as const).flatMap((name) => {
    const { text, edits } = sdkName(context, name);
    return enumOffers(name).map((offer) => ({ ...offer, label: `${text}.${offer.label}`, edits }));
  });
}

/** Values of `cpu=`. */
export function cpuOffers({ cursor }: CursorContext, { inner, begun }: ArgumentPlace): Offer[] {
  return inner || (begun && !cursor.string) ? [] : cpuForms(cursor);
}

/** All forms of a CPU-only instance, as strings. */
export function cpuForms(place: EditPlace): Offer[] {
  return CPU_CHOICES.map((form) => textOffer(place, form, { detail: describeCpu(form) }));
}
