/** Values of `gpu=` and `cpu=`: what the hardware table has. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { ArgumentPlace } from './argumentPlace.ts';
import { closing, itemsOf, type Offer, stringSpan } from './completionItems.ts';
import { enumOffers } from './completionMembers.ts';
import type { Cursor } from './cursor.ts';
import type { FeatureContext } from './feature.ts';
import { CPU_CHOICES, describeCpu } from './hardwareText.ts';
import { sdkName } from './missingImport.ts';

/** Groups first: they are served by whichever of their cards is free. */
export function gpuOffers(
  context: FeatureContext,
  cursor: Cursor,
  { begun }: ArgumentPlace,
): CompletionItem[] {
  if (begun || cursor.string) return [];
  const offers = (['GpuGroup', 'GpuType'] as const).flatMap((name) => {
    const written = sdkName(context, name);
    return enumOffers(name).map((offer) => ({
      ...offer,
      label: `${written.text}.${offer.label}`,
      edits: written.edits,
    }));
  });
  return itemsOf(context, cursor, offers);
}

/** Inside of the text of `cpu="…"`, all of which is replaced. */
export function cpuStringOffers(
  context: FeatureContext,
  cursor: Cursor,
  { inner }: ArgumentPlace,
): CompletionItem[] {
  if (inner) return [];
  const end = closing(cursor);
  return itemsOf(
    context,
    cursor,
    forms().map((offer) => ({ ...offer, text: offer.label + end })),
    stringSpan(cursor),
  );
}

/** After `cpu=`. */
export function cpuOffers(
  context: FeatureContext,
  cursor: Cursor,
  { begun }: ArgumentPlace,
): CompletionItem[] {
  if (begun) return [];
  return itemsOf(
    context,
    cursor,
    forms().map((offer) => ({ ...offer, label: `"${offer.label}"`, filter: offer.label })),
  );
}

function forms(): Offer[] {
  return CPU_CHOICES.map((form) => ({
    label: form,
    kind: CompletionItemKind.Value,
    detail: describeCpu(form) ?? '',
  }));
}
