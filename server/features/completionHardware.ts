/** Values of `gpu=` and `cpu=`: what the hardware table has. */
import type { ArgumentPlace } from './callArguments.ts';
import { type Offer, textOffer } from './completionItems.ts';
import { enumOffers } from './completionMembers.ts';
import type { Cursor } from './cursor.ts';
import type { PythonContext } from './feature.ts';
import { CPU_CHOICES, describeCpu } from './hardwareText.ts';
import { sdkName } from './missingImport.ts';

/** Groups first: they are served by whichever of their cards is free. */
export function gpuOffers(context: PythonContext, { string }: Cursor, { begun }: ArgumentPlace): Offer[] {
  if (begun || string) return [];
  return (['GpuGroup', 'GpuType'] as const).flatMap((name) => {
    const { text, edits } = sdkName(context, name);
    return enumOffers(name).map((offer) => ({ ...offer, label: `${text}.${offer.label}`, edits }));
  });
}

export function cpuOffers(_context: PythonContext, cursor: Cursor, { inner, begun }: ArgumentPlace): Offer[] {
  if (inner || (begun && !cursor.string)) return [];
  return CPU_CHOICES.map((form) => textOffer(cursor, form, { detail: describeCpu(form) }));
}
