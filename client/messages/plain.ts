/** Texts of a project for Markdown: they are shown as they are written, and load no picture. */
import * as vscode from 'vscode';

export function plain(text: string): string {
  return new vscode.MarkdownString('', true).appendText(text).value;
}
