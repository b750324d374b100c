/** Inside of `Endpoint(`: the keywords that are not given yet, and the values of each. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { KEYWORDS, type Keyword } from '../../runtime/source/index/Declaration.ts';
import { callArguments } from './callArguments.ts';
import { dependencyOffers } from './completionDependencies.ts';
import { environmentOffers } from './completionEnvironment.ts';
import { cpuOffers, cpuStringOffers, gpuOffers } from './completionHardware.ts';
import { itemsOf, type Offer } from './completionItems.ts';
import { nameOffers } from './completionNames.ts';
import { workerOffers } from './completionWorkers.ts';
import type { Cursor, OpenBracket } from './cursor.ts';
import type { FeatureContext } from './feature.ts';
import { KEYWORD_TEXTS } from './keywords.ts';
import { sdkName, type Written } from './missingImport.ts';

/** What a module that offers values is told. */
export interface ArgumentPlace {
  /** The call of `Endpoint`. */
  call: OpenBracket;
  /** The bracket inside of the value, such as a list's; null at the value itself. */
  inner: OpenBracket | null;
  /** Whether something of the value stands before the cursor. */
  begun: boolean;
}

/** Offers in an argument of `Endpoint`, or at the place of one. */
export function argumentOffers(context: FeatureContext, cursor: Cursor, call: OpenBracket): CompletionItem[] {
  const { index, keyword, value, others } = callArguments(cursor, call);
  const inner = cursor.brackets[cursor.brackets.indexOf(call) + 1] ?? null;
  const place: ArgumentPlace = { call, inner, begun: value.length > 0 };
  if (keyword === null) {
    if (cursor.string && index === 0 && !inner) return nameOffers(context, cursor, place);
    return cursor.string || inner || place.begun ? [] : keywordOffers(context, cursor, others);
  }
  switch (keyword) {
    case 'name':
      return nameOffers(context, cursor, place);
    case 'gpu':
      return gpuOffers(context, cursor, place);
    case 'cpu':
      return cursor.string ? cpuStringOffers(context, cursor, place) : cpuOffers(context, cursor, place);
    case 'workers':
      return workerOffers(context, cursor, place);
    case 'dependencies':
      return dependencyOffers(context, cursor, place);
    case 'env':
      return environmentOffers(context, cursor, place);
    default:
      return [];
  }
}

function keywordOffers(
  context: FeatureContext,
  cursor: Cursor,
  others: readonly (string | null)[],
): CompletionItem[] {
  const given = new Set(others);
  if (others[0] === null) given.add('name');
  // One machine cannot be both.
  if (given.has('gpu')) given.add('cpu');
  if (given.has('cpu')) given.add('gpu');
  const gpuGroup = sdkName(context, 'GpuGroup');
  // Another argument follows without a comma between.
  const comma = /^\s*[A-Za-z_]\w*\s*=(?!=)/.test(cursor.text.slice(cursor.word.end, cursor.word.end + 200))
    ? ','
    : '';
  return itemsOf(
    context,
    cursor,
    KEYWORDS.filter((keyword) => !given.has(keyword)).map((keyword) =>
      keywordOffer(keyword, gpuGroup, comma),
    ),
  );
}

function keywordOffer(keyword: Keyword, gpuGroup: Written, comma: string): Offer {
  const text = KEYWORD_TEXTS[keyword];
  const isGpu = keyword === 'gpu';
  return {
    label: `${keyword}=`,
    filter: keyword,
    kind: CompletionItemKind.Field,
    snippet: `${keyword}=${isGpu ? text.value.replaceAll('GpuGroup', gpuGroup.text) : text.value}${comma}`,
    detail: text.type,
    documentation: `${text.documentation}\n\nDefault: \`${text.default}\``,
    ...(isGpu ? { edits: gpuGroup.edits } : {}),
  };
}
