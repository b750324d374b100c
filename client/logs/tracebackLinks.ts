/** Locations in Python tracebacks → links to lines of the project's files. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

const PLACE = /File "([^"]+)", line (\d+)/g;

/**
 * The links in a text.
 *
 * @param root - Root of the project that the text belongs to; null if unknown.
 */
export async function tracebackLinks(
  document: vscode.TextDocument,
  root: string | null,
): Promise<vscode.DocumentLink[]> {
  const places = [...document.getText().matchAll(PLACE)];
  const files = new Map<string, Promise<string | null>>();
  const fileAt = (place: string) => {
    const found = files.get(place) ?? existing(place, root);
    files.set(place, found);
    return found;
  };
  const links = places.map(async ({ 0: text, 1: place, 2: line, index }) => {
    const file = await fileAt(place!);
    if (file === null) return [];
    const range = new vscode.Range(document.positionAt(index), document.positionAt(index + text.length));
    const link = new vscode.DocumentLink(range, vscode.Uri.file(file).with({ fragment: `L${line}` }));
    link.tooltip = vscode.l10n.t('Open {0} at line {1}', path.basename(file), line!);
    return [link];
  });
  return (await Promise.all(links)).flat();
}

/** The file in a traceback, with relative paths resolved against the root; null if it does not exist. */
async function existing(place: string, root: string | null): Promise<string | null> {
  if (root === null && !path.isAbsolute(place)) return null;
  const file = path.resolve(root ?? '', place);
  return stat(file).then(
    (found) => (found.isFile() ? file : null),
    () => null,
  );
}
