/** Inside `Endpoint(`: keywords that are not given yet, and values for each keyword. */
import { CompletionItemKind } from 'vscode-languageserver';
import { KEYWORDS, type Keyword } from '../../runtime/source/declarations/Declaration.ts';
import type { CursorContext } from './atCursor.ts';
import { type ArgumentPlace, callArguments } from './callArguments.ts';
import { dependencyOffers } from './completionDependencies.ts';
import { environmentOffers } from './completionEnvironment.ts';
import { cpuOffers, gpuOffers } from './completionHardware.ts';
import type { Offer } from './completionItems.ts';
import { freeNames, nameOffers } from './completionNames.ts';
import { workerOffers } from './completionWorkers.ts';
import { lineOf } from './cursor.ts';
import { functionBelow } from './functionBelow.ts';
import { KEYWORD_TEXTS } from './keywords.ts';
import { sdkName } from './missingImport.ts';
import type { OpenBracket } from './structure.ts';

const VALUES: Partial<Record<Keyword, (context: CursorContext, place: ArgumentPlace) => Offer[]>> = {
  name: nameOffers,
  gpu: gpuOffers,
  cpu: cpuOffers,
  workers: workerOffers,
  dependencies: dependencyOffers,
  env: environmentOffers,
};

/** Offers in an argument of `Endpoint`, or where one can be added. */
export function argumentOffers(context: CursorContext, call: OpenBracket): Offer[] {
  const { cursor } = context;
  const { index, keyword, value, others } = callArguments(cursor, call);
  const inner = cursor.brackets[cursor.brackets.indexOf(call) + 1] ?? null;
  const { text, offset } = cursor;
  const place: ArgumentPlace = {
    inner,
    begun: value.length > 0,
    line: lineOf(cursor, call.start),
    decorated: call.decorates ? (functionBelow(text, offset)?.name ?? null) : null,
  };
  if (keyword !== null)
    return Object.hasOwn(VALUES, keyword) ? VALUES[keyword as Keyword]!(context, place) : [];
  if (cursor.string && index === 0 && !inner) return nameOffers(context, place);
  return cursor.string || inner || place.begun ? [] : keywordOffers(context, place, others);
}

function keywordOffers(
  context: CursorContext,
  place: ArgumentPlace,
  others: readonly (string | null)[],
): Offer[] {
  const { text, word } = context.cursor;
  const given = new Set(others);
  if (others[0] === null) given.add('name');
  // An endpoint cannot have both.
  if (given.has('gpu')) given.add('cpu');
  if (given.has('cpu')) given.add('gpu');
  const gpuGroup = sdkName(context, 'GpuGroup');
  const gpuValue = KEYWORD_TEXTS.gpu.value.replaceAll('GpuGroup', gpuGroup.text);
  // Another argument follows without a comma.
  const comma = /^\s*[A-Za-z_]\w*\s*=(?!=)/.test(text.slice(word.end, word.end + 200)) ? ',' : '';
  return KEYWORDS.filter((keyword) => !given.has(keyword)).map((keyword) => {
    if (keyword === 'gpu') return { ...keywordOffer(keyword, gpuValue + comma), edits: gpuGroup.edits };
    const [name] = keyword === 'name' ? freeNames(context, place) : [];
    const value = name === undefined ? KEYWORD_TEXTS[keyword].value : `"\${1:${name}}"`;
    return keywordOffer(keyword, value + comma);
  });
}

/** @param value - A snippet. */
function keywordOffer(keyword: Keyword, value: string): Offer {
  const { type, default: preset, documentation } = KEYWORD_TEXTS[keyword];
  return {
    label: `${keyword}=`,
    filter: keyword,
    kind: CompletionItemKind.Field,
    snippet: `${keyword}=${value}`,
    detail: type,
    documentation: `${documentation}\n\nDefault: \`${preset}\``,
  };
}
