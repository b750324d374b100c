/**
 * `textDocument/completion`: offers at the cursor, also in unfinished code. This module determines the kind of
 * position; each kind has its own module. Files that do not use toolkit_sdk only get offers in imports.
 */
import type { CompletionItem, CompletionList, CompletionParams } from 'vscode-languageserver';
import { ROUTE_VERBS } from '../../runtime/contract/endpoint.ts';
import { atCursor, type CursorContext } from './atCursor.ts';
import { argumentOffers } from './completionArguments.ts';
import { decoratorOffers, dottedOffers } from './completionDecorators.ts';
import { memberOffers } from './completionHardware.ts';
import { ignoreOffers } from './completionIgnores.ts';
import { importOffers } from './completionImports.ts';
import { listOf, type Offer } from './completionItems.ts';
import { pathOffers } from './completionPaths.ts';
import { peerOffers } from './completionPeers.ts';
import { concerns } from './declared.ts';
import type { PythonContext } from './feature.ts';

/** Characters after which an editor requests completion by itself. */
export const COMPLETION_TRIGGERS = ['"', "'", '.', '@', '(', ',', '=', '/', '-', '[', '{'];

/** Offers for a position. */
export function completion(
  context: PythonContext,
  { position, context: asked }: CompletionParams,
): CompletionList | CompletionItem[] {
  const at = atCursor(context, position);
  return listOf(context, at.cursor, offersAt(at, asked?.triggerCharacter));
}

/** @param trigger - The character that triggered completion; undefined if the user requested it or typed a word. */
function offersAt(context: CursorContext, trigger: string | undefined): Offer[] {
  const { document, project, cursor, scope } = context;
  if (cursor.comment) return concerns(context) ? ignoreOffers(context) : [];
  const imported = cursor.string ? null : importOffers(context);
  if (imported) return imported;
  if (!concerns(context)) return [];
  const isDecorator = cursor.line[0]?.text === '@';
  if (cursor.string === null && cursor.owner.length > 0) {
    const isDotted = isDecorator && cursor.line.length === 1 + 2 * cursor.owner.length;
    return isDotted ? dottedOffers(context) : memberOffers(context);
  }
  if (cursor.string === null && cursor.line.length === 1 && isDecorator) return decoratorOffers(context);
  const { index } = project;
  const endpoint = cursor.brackets.findLast(
    ({ callee, bracket }) =>
      bracket === '(' && callee.length > 0 && index.isEndpointClass(document.file, scope, callee),
  );
  if (endpoint) return argumentOffers(context, endpoint);
  const call = cursor.brackets.findLast(({ callee }) => callee.length > 0);
  const verb = ROUTE_VERBS.find((known) => known === call?.callee.at(-1));
  if (call && verb && call === cursor.brackets.at(-1)) {
    const called = index.instancesOf(document.file, scope, call.callee.slice(0, -1));
    if (called.length > 0) return cursor.string ? pathOffers(context, call, called) : [];
  }
  if (cursor.string !== null || (trigger !== undefined && cursor.word.start === cursor.offset)) return [];
  return peerOffers(context);
}
