/**
 * Inside `dependencies=["…"]`: distributions that the functions import without declaring them, then installed and
 * well-known ones.
 */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { BASE_IMAGE_PACKAGES, isInBaseImage } from '../../runtime/contract/names.ts';
import { normalizeName, requirementName } from '../../runtime/source/environment/distributionName.ts';
import { WELL_KNOWN } from '../../runtime/source/environment/knownModules.ts';
import type { CursorContext } from './atCursor.ts';
import { bodyModules } from './bodyModules.ts';
import type { ArgumentPlace } from './callArguments.ts';
import { type CompletionData, type EditPlace, type Offer, textOffer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import type { DocumentContext } from './feature.ts';
import { markup } from './markup.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Offers in the list, inside a string or with quotes. */
export function dependencyOffers(context: CursorContext, place: ArgumentPlace): Offer[] {
  const { cursor } = context;
  const { inner } = place;
  if (!inner || inner.bracket === '{' || inner !== cursor.brackets.at(-1)) return [];
  const last = inner.inside.at(-1);
  // The item before the cursor is complete, and no comma follows it.
  if (!cursor.string && last && last.text !== ',') return [];
  const { dependencies } = context.project;
  const ofProject = dependencies.ofProject() ?? [];
  const imported = bodyModules(context, place)
    .filter((module) => !dependencies.provides(ofProject, module))
    .flatMap((module) => dependencies.distributionOf(module) ?? []);
  return distributionOffers(context, cursor, givenIn(cursor, inner.inside), imported);
}

/**
 * Offers of distributions for one item of a list.
 *
 * @param given - Normalized names of the other items, which are not offered again.
 * @param imported - Distributions that the code needs.
 */
export function distributionOffers(
  context: DocumentContext,
  place: EditPlace,
  given: ReadonlySet<string>,
  imported: readonly string[] = [],
): Offer[] {
  const { string, offset } = place;
  // Version specifiers follow the name.
  const name = /^[A-Za-z0-9._-]*/.exec(string?.content ?? '')![0];
  const span = string ? { start: string.contentStart, end: string.contentStart + name.length } : place.word;
  if (offset > span.end) return [];
  const isWhole = !string?.closed || span.end === string.contentEnd;
  const needed = new Set(imported.map(normalizeName));
  const offers = new Map<string, Offer>();
  const installed = context.project.dependencies.environment.distributions();
  const versions = new Map(installed.map(({ normalized, version }) => [normalized, version]));
  const names = installed.map((one) => one.name);
  for (const distribution of [...imported, ...names, ...BASE_IMAGE_PACKAGES, ...WELL_KNOWN]) {
    const normalized = normalizeName(distribution);
    if (given.has(normalized) || offers.has(normalized)) continue;
    const version = versions.get(normalized) ?? null;
    const details = [
      ...(needed.has(normalized) ? ['imported here'] : []),
      ...(version === null ? [] : [`${version} installed`]),
      ...(isInBaseImage(normalized) ? ['provided by the base image'] : []),
    ];
    const offer = textOffer(place, distribution, {
      kind: CompletionItemKind.Module,
      detail: details.join(' · ') || null,
      data: version === null ? null : { uri: context.document.uri, distribution },
      span,
    });
    offers.set(normalized, isWhole ? offer : { ...offer, text: offer.label });
  }
  return [...offers.values()];
}

/** Adds a distribution's summary, which has to be read from a separate file. */
export function resolveCompletion(
  { project, client }: DocumentContext,
  item: CompletionItem,
): CompletionItem {
  const { distribution } = item.data as Partial<CompletionData>;
  const { environment } = project.dependencies;
  const summary = distribution === undefined ? null : environment.distribution(distribution)?.summary;
  if (!summary) return item;
  const formats = client.capabilities.textDocument?.completion?.completionItem?.documentationFormat;
  return { ...item, documentation: markup(summary, formats) };
}

function givenIn({ text, string }: Cursor, before: readonly Token[]): Set<string> {
  const close = string?.closed ? text.indexOf(']', string.end) : -1;
  const behind = close === -1 ? [] : tokensOf(text, string!.end, close);
  return new Set(
    [...before, ...behind].flatMap((token) =>
      token.kind === 'string' ? (requirementName(token.content) ?? []) : [],
    ),
  );
}
