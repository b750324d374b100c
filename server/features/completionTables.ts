/** In pyproject.toml: the keys of `[[tool.toolkit.endpoints]]` and `[tool.toolkit]`, and what they may be. */
import { type CompletionItem, CompletionItemKind, type CompletionList } from 'vscode-languageserver';
import type { Position } from '../../runtime/contract/diagnostic.ts';
import { GPU_GROUPS, GPU_TYPES } from '../../runtime/contract/hardware.ts';
import { TABLE_KEYS } from '../../runtime/source/declarations/Declaration.ts';
import { distributionOffers } from './completionDependencies.ts';
import { closing, type EditPlace, itemsOf, type Offer, stringSpan } from './completionItems.ts';
import { listOf } from './completionList.ts';
import type { PlaceContext } from './feature.ts';
import { CPU_CHOICES, describeCpu, describeGpu } from './hardwareText.ts';
import { entryAt, givenKeys, headingBefore, wordAround } from './tablePlace.ts';
import { TOOLKIT_KEYS, tableKeyText } from './tableTexts.ts';
import { lineStart, offsetAt } from './textPlaces.ts';

const ENDPOINTS = 'tool.toolkit.endpoints';
const TOOLKIT = 'tool.toolkit';

/** Offers in a table of the toolkit; nothing elsewhere in the file. */
export function tableCompletion(
  context: PlaceContext,
  position: Position,
): CompletionList | CompletionItem[] {
  return listOf(context, offersAt(context, position));
}

function offersAt(context: PlaceContext, position: Position): CompletionItem[] {
  const text = context.project.textOf(context.document.file);
  if (text === null) return [];
  const offset = offsetAt(text, position);
  const margin = lineStart(text, offset);
  const heading = headingBefore(text, margin);
  const typed = /^[ \t]*\[{1,2}[ \t]*([\w.]*)$/.exec(text.slice(margin, offset))?.[1];
  if (typed !== undefined) return headings(context, { text, offset, position, typed, margin });
  if (heading?.name !== ENDPOINTS && heading?.name !== TOOLKIT) return [];
  const entry = entryAt(text, heading.end, offset);
  if (entry.comment) return [];
  const word = entry.string ? { start: offset, end: offset } : wordAround(text, offset);
  const place: EditPlace = { text, offset, position, word, string: entry.string };
  if (entry.key !== null)
    return heading.name === ENDPOINTS ? valueOffers(context, place, entry.key, entry.isInside) : [];
  if (entry.string || text.slice(margin, word.start).trim() !== '') return [];
  return itemsOf(context, place, keyOffers(heading.name, givenKeys(text, heading.end, word.start)));
}

function headings(
  context: PlaceContext,
  {
    typed,
    margin,
    ...place
  }: Pick<EditPlace, 'text' | 'offset' | 'position'> & { typed: string; margin: number },
): CompletionItem[] {
  const brackets = /\[+/.exec(place.text.slice(margin))![0];
  const behind = /^[\w.]*(\]*)/.exec(place.text.slice(place.offset))!;
  const span = { start: place.offset - typed.length, end: place.offset + behind[0].length };
  const offers = [ENDPOINTS, TOOLKIT].flatMap((name): Offer[] => {
    const isList = name === ENDPOINTS;
    if (brackets === '[[' && !isList) return [];
    const open = isList && brackets === '[' ? '[' : '';
    const close = isList ? ']]' : ']';
    return [{ label: name, text: `${open}${name}${close}`, kind: CompletionItemKind.Module }];
  });
  return itemsOf(context, { ...place, word: span, string: null }, offers, span);
}

function keyOffers(heading: string, given: ReadonlySet<string>): Offer[] {
  const texts =
    heading === ENDPOINTS
      ? TABLE_KEYS.map((key) => [key, tableKeyText(key)] as const)
      : Object.entries(TOOLKIT_KEYS).map(([key, text]) => [key, { ...text, type: undefined }] as const);
  return texts
    .filter(([key]) => !given.has(key))
    .map(([key, { documentation, value, type }]) => ({
      label: key,
      kind: CompletionItemKind.Field,
      text: `${key} = `,
      snippet: `${key} = ${value}`,
      documentation,
      ...(type === undefined ? {} : { detail: type }),
    }));
}

function valueOffers(
  context: PlaceContext,
  place: EditPlace,
  key: string,
  isInside: boolean,
): CompletionItem[] {
  const texts: Record<string, () => Offer[]> = {
    kind: () => ['queue', 'load-balanced'].map((label) => ({ label, kind: CompletionItemKind.EnumMember })),
    cpu: () => CPU_CHOICES.map((label) => value(label, describeCpu(label))),
    gpu: () =>
      [...Object.keys(GPU_GROUPS), ...Object.keys(GPU_TYPES)].map((label) =>
        value(label, describeGpu(label)),
      ),
  };
  const offers = Object.hasOwn(texts, key) && !isInside ? texts[key]!() : [];
  if (key === 'dependencies' && isInside && place.string)
    return distributionOffers(context, place, new Set());
  if (key === 'workers' && !isInside && !place.string)
    return itemsOf(
      context,
      place,
      ['[0, 1]', '[0, 3]', '[1, 3]', '[1, 5]'].map((label) => ({ label, kind: CompletionItemKind.Value })),
    );
  const quote = place.string ? '' : '"';
  return itemsOf(
    context,
    place,
    offers.map((offer) => ({
      ...offer,
      filter: offer.label,
      label: `${quote}${offer.label}${quote}`,
      text: `${quote}${offer.label}${quote}${closing(place)}`,
    })),
    place.string ? stringSpan(place) : place.word,
  );
}

function value(label: string, meaning: string | null): Offer {
  return { label, kind: CompletionItemKind.Value, ...(meaning === null ? {} : { detail: meaning }) };
}
