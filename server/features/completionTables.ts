/** In pyproject.toml: the keys of `[[tool.toolkit.endpoints]]` and `[tool.toolkit]`, and what they may be. */
import { type CompletionItem, CompletionItemKind, type CompletionList } from 'vscode-languageserver';
import type { Position } from '../../runtime/contract/diagnostic.ts';
import { CPU_FORMS, GPU_GROUPS, GPU_TYPES } from '../../runtime/contract/hardware.ts';
import { TABLE_KEYS, type TableKey } from '../../runtime/source/index/Declaration.ts';
import { distributionOffers } from './completionDependencies.ts';
import { closing, type EditPlace, itemsOf, type Offer, stringSpan } from './completionItems.ts';
import { listOf } from './completionList.ts';
import { lineStart, offsetAt } from './cursor.ts';
import type { PlaceContext } from './feature.ts';
import { describeCpu, describeGpu } from './hardwareText.ts';
import { KEYWORD_TEXTS } from './keywords.ts';
import { isString, type StringToken, type Token, tokensOf } from './tokens.ts';

const HEADING = /^[ \t]*(\[\[?)[ \t]*([^\]\n]*?)[ \t]*\]\]?/gm;
const ENDPOINTS = 'tool.toolkit.endpoints';
const TOOLKIT = 'tool.toolkit';

const TOOLKIT_KEYS: Record<string, { documentation: string; value: string }> = {
  app: { documentation: "The app's name, in place of the project's.", value: '"$1"' },
  python: { documentation: 'Minor version of Python that workers run.', value: '"${1:3.11}"' },
  quota: { documentation: "The account's quota of workers, 30 when not given.", value: '${1:30}' },
};

/** Keys that only tables have, and values that TOML writes otherwise than Python. */
const TABLE_TEXTS: Partial<Record<TableKey, { type: string; documentation: string; value: string }>> = {
  command: {
    type: 'list of strings',
    documentation: "Program and arguments that start the endpoint's worker from the artifact's root.",
    value: '["$1"]',
  },
  kind: {
    type: '"queue" or "load-balanced"',
    documentation: 'A queue-based worker speaks the worker protocol, a load-balanced one listens on `PORT`.',
    value: '"${1|queue,load-balanced|}"',
  },
  gpu: {
    type: 'name of a GPU group or type',
    documentation: KEYWORD_TEXTS.gpu.documentation,
    value: `"\${1|${Object.keys(GPU_GROUPS).join(',')}|}"`,
  },
  workers: {
    type: 'list of two integers',
    documentation: KEYWORD_TEXTS.workers.documentation,
    value: '[${1:0}, ${2:3}]',
  },
  env: {
    type: 'table of strings',
    documentation: 'Environment variables of the workers.',
    value: '{ ${1:NAME} = "$2" }',
  },
};

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
      ? TABLE_KEYS.map((key) => [key, textOf(key)] as const)
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

function textOf(key: TableKey): { type: string; documentation: string; value: string } {
  const own = TABLE_TEXTS[key];
  if (own) return own;
  return KEYWORD_TEXTS[key as keyof typeof KEYWORD_TEXTS];
}

function valueOffers(
  context: PlaceContext,
  place: EditPlace,
  key: string,
  isInside: boolean,
): CompletionItem[] {
  const texts: Record<string, () => Offer[]> = {
    kind: () => ['queue', 'load-balanced'].map((label) => ({ label, kind: CompletionItemKind.EnumMember })),
    cpu: () => CPU_FORMS.map((label) => value(label, describeCpu(label))),
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

function headingBefore(text: string, margin: number): { name: string; end: number } | null {
  let last: { name: string; end: number } | null = null;
  for (const match of text.slice(0, margin).matchAll(HEADING)) {
    last = { name: match[2]!.replaceAll(/[\s"']/g, ''), end: match.index + match[0].length };
  }
  return last;
}

interface Entry {
  /** The key whose value the cursor stands in. */
  key: string | null;
  /** Whether it stands inside of a list or an inline table. */
  isInside: boolean;
  string: StringToken | null;
  comment: boolean;
}

function entryAt(text: string, from: number, offset: number): Entry {
  const tokens = tokensOf(text, from, offset);
  let key: string | null = null;
  let depth = 0;
  let before: Token | null = null;
  for (const token of tokens) {
    const char = token.kind === 'operator' ? text[token.start]! : '';
    if ('[{'.includes(char) && char !== '') depth += 1;
    else if (']}'.includes(char) && char !== '') depth -= 1;
    if (depth <= 0 && token.kind === 'newline') key = null;
    if (depth === 0 && key === null && char === '=' && before) key = text.slice(before.start, before.end);
    before = token;
  }
  const last = tokens.at(-1);
  const isIn =
    last !== undefined &&
    isString(last) &&
    offset >= last.contentStart &&
    (!last.closed || offset <= last.contentEnd);
  return { key, isInside: depth > 0, string: isIn ? last : null, comment: last?.kind === 'comment' };
}

/** Keys of the table that the cursor stands in, but for the word at the cursor. */
function givenKeys(text: string, from: number, except: number): Set<string> {
  const rest = text.slice(from);
  const next = /^[ \t]*\[/m.exec(rest);
  const table = next ? rest.slice(0, next.index) : rest;
  const keys = [...table.matchAll(/^[ \t]*([\w-]+)[ \t]*=/gm)];
  return new Set(
    keys.filter((match) => from + match.index + match[0].search(/\S/) !== except).map((match) => match[1]!),
  );
}

function wordAround(text: string, offset: number) {
  const margin = lineStart(text, offset);
  const before = /[\w-]*$/.exec(text.slice(margin, offset))![0];
  const after = /^[\w-]*/.exec(text.slice(offset, offset + 100))![0];
  return { start: offset - before.length, end: offset + after.length };
}
