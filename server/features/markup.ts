/** Markdown in a form that the client can show. */
import { type MarkupContent, MarkupKind } from 'vscode-languageserver';

/** The text as Markdown, or as plain text for a client that does not show Markdown. */
export function markup(markdown: string, formats: readonly MarkupKind[] | undefined): MarkupContent {
  if (formats?.includes(MarkupKind.Markdown)) return { kind: MarkupKind.Markdown, value: markdown };
  return { kind: MarkupKind.PlainText, value: plain(markdown) };
}

/** Removes Markdown syntax. Code is kept unchanged; elsewhere, unescaped asterisks are removed. */
function plain(markdown: string): string {
  return markdown.replace(/(`+) ?(.+?) ?\1|\\([\\`*_{}[\]()#+!|<>~])|\*+/g, '$2$3');
}

/** Escapes user text, such as a docstring or a name, so that it contains no Markdown. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&');
}

/** Text as inline code. */
export function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
