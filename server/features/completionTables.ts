/** In pyproject.toml: the keys of `[[tool.toolkit.endpoints]]` and `[tool.toolkit]`, and their values. */
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
} from 'vscode-languageserver';
import { TABLE_KEYS } from '../../runtime/source/declarations/Declaration.ts';
import { distributionOffers } from './completionDependencies.ts';
import { cpuForms, ENUM_MEMBERS } from './completionHardware.ts';
import { type EditPlace, listOf, type Offer, textOffer } from './completionItems.ts';
import type { DocumentContext } from './feature.ts';
import { describeGpu } from './hardwareText.ts';
import { entryAt, givenKeys, headingBefore, wordAround } from './tablePlace.ts';
import { TOOLKIT_KEYS, tableKeyText } from './tableTexts.ts';
import { lineStart, offsetAt } from './textPlaces.ts';

const ENDPOINTS = 'tool.toolkit.endpoints';
const TOOLKIT = 'tool.toolkit';

/** Offers in a table of the toolkit; none elsewhere in the file. */
export function tableCompletion(
  context: DocumentContext,
  { position }: CompletionParams,
): CompletionList | CompletionItem[] {
  const text = context.project.textOf(context.document.file) ?? '';
  const offset = offsetAt(text, position);
  const margin = lineStart(text, offset);
  const heading = headingBefore(text, margin);
  const entry = entryAt(text, heading?.end ?? 0, offset);
  const word = entry.string ? { start: offset, end: offset } : wordAround(text, offset);
  const place: EditPlace = { text, offset, position, word, string: entry.string };
  const typed = /^[ \t]*(\[{1,2})[ \t]*([\w.]*)$/.exec(text.slice(margin, offset));
  if (typed) return listOf(context, { ...place, string: null }, headingOffers(place, typed[1]!, typed[2]!));
  if ((heading?.name !== ENDPOINTS && heading?.name !== TOOLKIT) || entry.comment) return [];
  const isKey = entry.key === null && !entry.string && text.slice(margin, word.start).trim() === '';
  if (isKey) return listOf(context, place, keyOffers(heading.name, givenKeys(text, heading.end, word.start)));
  const hasValues = entry.key !== null && heading.name === ENDPOINTS;
  return hasValues ? listOf(context, place, valueOffers(context, place, entry.key!, entry.isInside)) : [];
}

function headingOffers({ text, offset }: EditPlace, brackets: string, typed: string): Offer[] {
  const behind = /^[\w.]*\]*/.exec(text.slice(offset))![0];
  const span = { start: offset - typed.length, end: offset + behind.length };
  return [ENDPOINTS, TOOLKIT].flatMap((name): Offer[] => {
    const isList = name === ENDPOINTS;
    if (brackets === '[[' && !isList) return [];
    const open = isList && brackets === '[' ? '[' : '';
    const close = isList ? ']]' : ']';
    return [{ label: name, text: `${open}${name}${close}`, kind: CompletionItemKind.Module, span }];
  });
}

function keyOffers(heading: string, given: ReadonlySet<string>): Offer[] {
  const texts =
    heading === ENDPOINTS
      ? TABLE_KEYS.map((key) => [key, tableKeyText(key)] as const)
      : Object.entries(TOOLKIT_KEYS).map(([key, text]) => [key, { ...text, type: null }] as const);
  return texts
    .filter(([key]) => !given.has(key))
    .map(([key, { documentation, value, type }]) => ({
      label: key,
      kind: CompletionItemKind.Field,
      text: `${key} = `,
      snippet: `${key} = ${value}`,
      documentation,
      detail: type,
    }));
}

function valueOffers(context: DocumentContext, place: EditPlace, key: string, isInside: boolean): Offer[] {
  if (key === 'dependencies' && isInside && place.string)
    return distributionOffers(context, place, new Set());
  if (isInside) return [];
  switch (key) {
    case 'kind':
      return ['queue', 'load-balanced'].map((kind) =>
        textOffer(place, kind, { kind: CompletionItemKind.EnumMember }),
      );
    case 'cpu':
      return cpuForms(place);
    case 'gpu':
      return [...ENUM_MEMBERS.GpuGroup, ...ENUM_MEMBERS.GpuType].map((member) =>
        textOffer(place, member, { detail: describeGpu(member) }),
      );
    case 'workers':
      if (place.string) return [];
      return ['[0, 1]', '[0, 3]', '[1, 3]', '[1, 5]'].map((label) => {
        return { label, kind: CompletionItemKind.Value };
      });
    default:
      return [];
  }
}
