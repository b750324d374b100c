/** In `# toolkit: ignore[…]`: the codes that can be silenced, those of its own line first. */
import { CompletionItemKind } from 'vscode-languageserver';
import { DIAGNOSTIC_SEVERITY } from '../../runtime/contract/diagnosticSeverity.ts';
import type { CursorContext } from './atCursor.ts';
import type { Offer } from './completionItems.ts';

/** Errors cannot be silenced. */
const CODES = Object.entries(DIAGNOSTIC_SEVERITY).flatMap(([code, severity]) =>
  severity === 'error' ? [] : [code],
);

/** Offers inside a comment. */
export function ignoreOffers({ project, document, cursor }: CursorContext): Offer[] {
  const { text, comment, offset, position } = cursor;
  const before = text.slice(comment!.start, offset);
  const found = project
    .diagnosticsOf(document.file)
    .filter(({ range, severity }) => range.start.line === position.line && severity !== 'error');
  const messages = new Map(found.map(({ code, message }) => [code as string, message]));
  const list = /toolkit:\s*ignore\[([^\]]*)$/.exec(before)?.[1];
  if (list === undefined) {
    const typed = /^#\s*([\w:]*)$/.exec(before)?.[1];
    if (typed === undefined) return [];
    const span = { start: offset - typed.length, end: offset };
    return [...messages].map(([code, detail]) => {
      return { label: `toolkit: ignore[${code}]`, kind: CompletionItemKind.Text, detail, span };
    });
  }
  const given = new Set(list.split(',').map((code) => code.trim()));
  const typed = /[\w-]*$/.exec(list)![0];
  const rest = /^[\w-]*/.exec(text.slice(offset, comment!.end))![0];
  const isClosed = /^\s*\]/.test(text.slice(offset + rest.length, comment!.end));
  const end = isClosed || rest !== '' ? '' : ']';
  const codes = [...messages.keys(), ...CODES.filter((code) => !messages.has(code))];
  return codes
    .filter((code) => !given.has(code) || code === typed + rest)
    .map((label) => ({
      label,
      text: label + end,
      kind: CompletionItemKind.EnumMember,
      detail: messages.get(label) ?? null,
      span: { start: offset - typed.length, end: offset + rest.length },
    }));
}
