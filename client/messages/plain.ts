/** Escapes a project's text for Markdown, so that it is shown literally and loads no images. */
import * as vscode from 'vscode';

export function plain(text: string): string {
  return new vscode.MarkdownString('', true).appendText(text).value;
}
