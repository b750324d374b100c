/** Markdown as the client can show it. */
import { type MarkupContent, MarkupKind } from 'vscode-languageserver';

/** The text as Markdown, or without its marks for a client that does not show Markdown. */
export function markup(markdown: string, formats: readonly MarkupKind[] | undefined): MarkupContent {
  if (formats?.includes(MarkupKind.Markdown)) return { kind: MarkupKind.Markdown, value: markdown };
  return { kind: MarkupKind.PlainText, value: plain(markdown) };
}

/** Removes the marks. Code keeps its characters; elsewhere stars are marks unless they are escaped. */
function plain(markdown: string): string {
  return markdown.replace(/(`+) ?(.+?) ?\1|\\([\\`*_{}[\]()#+!|<>~])|\*+/g, '$2$3');
}

/** Escapes text of a user, such as a docstring or a name, so that none of it is Markdown. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&');
}

/** Text as inline code. */
export function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
