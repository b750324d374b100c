/** Inside the path of `@api.get("…")`: the function's name and parameters, and beginnings of other routes. */
import { CompletionItemKind } from 'vscode-languageserver';
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import type { CursorContext } from './atCursor.ts';
import { callArguments } from './callArguments.ts';
import { closing, type Offer, stringSpan, textOffer } from './completionItems.ts';
import { instances } from './declared.ts';
import type { PythonContext } from './feature.ts';
import { functionBelow } from './functionBelow.ts';
import type { OpenBracket } from './structure.ts';

/** Offers for the whole path, and for the part that the cursor is in. */
export function pathOffers(
  context: CursorContext,
  call: OpenBracket,
  called: readonly Declaration[],
): Offer[] {
  const { cursor } = context;
  const { index, keyword } = callArguments(cursor, call);
  if (keyword === null ? index > 0 : keyword !== 'path') return [];
  const span = stringSpan(cursor);
  const written = cursor.text.slice(span.start, span.end);
  const before = cursor.text.slice(span.start, cursor.offset);
  const below = functionBelow(cursor.text, cursor.offset);
  const end = closing(cursor);
  const paths = new Set(below ? [`/${below.name.replaceAll('_', '-')}`] : []);
  for (const beginning of beginnings(context, called)) paths.add(beginning);
  const used = new Set([...written.matchAll(/\{([^}:]*)/g)].map(([, name]) => name));
  const partStart = cursor.offset - /[^/]*$/.exec(before)![0].length;
  const partEnd = cursor.offset + /^[^/]*/.exec(cursor.text.slice(cursor.offset, span.end))![0].length;
  const parameters = partStart === span.start ? [] : (below?.parameters ?? []);
  const parts = parameters
    .filter((name) => !used.has(name) || written.slice(partStart - span.start).startsWith(`{${name}`))
    .map(
      (name): Offer => ({
        label: `{${name}}`,
        text: `{${name}}${partEnd === span.end ? end : ''}`,
        kind: CompletionItemKind.Variable,
        detail: `parameter of ${below!.name}`,
        span: { start: partStart, end: partEnd },
      }),
    );
  return [...parts, ...[...paths].map((path) => textOffer(cursor, path))];
}

/** Paths of the project's routes up to their first parameter, those of the instance first. */
function beginnings({ project }: PythonContext, called: readonly Declaration[]): Set<string> {
  const all = [...called, ...instances(project.index).map(({ declaration }) => declaration)];
  const found = new Set<string>();
  for (const { routes } of all) {
    for (const { path } of routes) {
      if (path.state !== 'known' || !path.value.startsWith('/')) continue;
      const parts = path.value.split('/').slice(1, -1);
      const fixed = parts.findIndex((part) => part.startsWith('{'));
      const kept = fixed === -1 ? parts : parts.slice(0, fixed);
      for (let length = 1; length <= kept.length; length += 1)
        found.add(`/${kept.slice(0, length).join('/')}/`);
    }
  }
  return found;
}
