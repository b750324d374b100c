/** One server for a file of tests, and for each test a marked project in it, as in an editor. */
import { after, before } from 'node:test';
import type { Position, Range } from 'vscode-languageserver';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { describePlace, type Mark, parseMarked } from '../source/markedProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

/** A project that is open in an editor. */
export class MarkedSession {
  readonly client: LanguageClient;
  readonly root: string;
  readonly files: Record<string, string>;
  readonly marks: readonly Mark[];

  constructor(client: LanguageClient, root: string, { files, marks }: ReturnType<typeof parseMarked>) {
    this.client = client;
    this.root = root;
    this.files = files;
    this.marks = marks;
  }

  uri(file: string): string {
    return uriOf(this.root, file);
  }

  /** The parameters of a request for the position where a mark begins. */
  at({ file, range }: Mark): { textDocument: { uri: string }; position: Position } {
    return { textDocument: { uri: this.uri(file) }, position: range.start };
  }

  /** Locations in the format of marks, relative to the root. */
  describe(location: { uri: string; range: Range }): string {
    return describePlace({ file: this.fileOf(location.uri), range: location.range });
  }

  fileOf(uri: string): string {
    return uri.replace(`${uriOf(this.root)}/`, '');
  }

  /** Marks with one of these labels, in the format of `describe`. */
  marked(...labels: string[]): string[] {
    return this.marks.filter(({ label }) => labels.includes(label)).map(describePlace);
  }
}

/**
 * Call it in the body of a `describe`. It starts a server, and ends it with all assertions of
 * `LanguageClient.stop`.
 */
export function markedSessions(): (
  fixture: string,
  test: (session: MarkedSession) => Promise<void>,
) => Promise<void> {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [] });
  });
  after(() => client.stop());
  return async (fixture, test) => {
    const parsed = parseMarked(fixture);
    const root = writeProject(parsed.files, makeFolder());
    const session = new MarkedSession(client, root, parsed);
    await client.addFolder(root);
    const shown = Object.entries(parsed.files).filter(([file]) => /\.(?:py|toml)$/.test(file));
    for (const [file, text] of shown) await client.open(session.uri(file), text);
    await client.settled();
    await test(session);
    for (const [file] of shown) await client.close(session.uri(file));
    await client.removeFolder(root);
  };
}
