/**
 * A project written as one text, in which "‸" marks the cursor → the real server, asked at that position.
 * Files begin with "=== name". The request is for the file with the mark, which is open with its text,
 * finished or not.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { CompletionItem, CompletionList, Position } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { type LanguageClient, uriOf } from './languageClient.ts';

const CURSOR = '‸';

export interface AtCursor {
  root: string;
  uri: string;
  file: string;
  text: string;
  position: Position;
}

/** Parses a fixture. */
function splitFixture(fixture: string): {
  files: Record<string, string>;
  file: string;
  offset: number;
} {
  const files: Record<string, string> = {};
  let marked: { file: string; offset: number } | null = null;
  for (const section of fixture.split(/^=== /m).slice(1)) {
    const end = section.indexOf('\n');
    const file = section.slice(0, end);
    const text = section.slice(end + 1);
    const offset = text.indexOf(CURSOR);
    if (offset !== -1) marked = { file, offset };
    files[file] = text.replace(CURSOR, '');
  }
  assert.ok(marked, 'a fixture marks its cursor');
  return { files, ...marked };
}

/** Adds a fixture's project to a client's workspace, sends the request, and removes the project again. */
export async function atCursor<Answer>(
  client: LanguageClient,
  fixture: string,
  ask: (place: AtCursor) => Promise<Answer>,
): Promise<Answer> {
  const { files, file, offset } = splitFixture(fixture);
  const root = writeProject(files, makeFolder());
  await client.addFolder(root);
  const uri = uriOf(path.join(root, file));
  const text = files[file]!;
  await client.open(uri, text);
  const position = TextDocument.create(uri, 'python', 1, text).positionAt(offset);
  try {
    return await ask({ root, uri, file, text, position });
  } finally {
    await client.close(uri);
    await client.removeFolder(root);
  }
}

/** The items of a response. Those without a range get that of the list. */
export function itemsOf(answer: CompletionList | CompletionItem[]): CompletionItem[] {
  if (Array.isArray(answer)) return answer;
  const range = answer.itemDefaults?.editRange;
  return answer.items.map((item) => {
    if (item.textEdit || !range) return item;
    const newText = item.textEditText ?? item.label;
    return { ...item, textEdit: 'insert' in range ? { newText, ...range } : { newText, range } };
  });
}
