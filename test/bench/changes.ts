/**
 * didChange → own diagnostics in a file of 2,600 lines, over a bare incremental reparse and a null server's
 * response.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Edit, Language, Parser, type Tree } from 'web-tree-sitter';
import { distFile } from '../../runtime/source/assets.ts';
import { buildNullServer, EditorSession, SERVER } from './editorSession.ts';
import { HEAD, PLACE, TEXT } from './editorTexts.ts';
import { quantile } from './measure.ts';

const ROUNDS = 400;
const WARM_UP = 100;

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
try {
  const text = TEXT;
  const file = path.join(folder, 'typed.py');
  writeFileSync(file, text);
  const uri = pathToFileURL(file).href;
  const empty = await EditorSession.start(await buildNullServer(folder), folder);
  const ours = await EditorSession.start(SERVER, folder);
  for (const session of [empty, ours]) {
    await session.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'python', version: 1, text },
    });
  }
  await ours.settled();

  await Parser.init({ wasmBinary: readFileSync(distFile('web-tree-sitter.wasm')) });
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(distFile('tree-sitter-python.wasm'))));
  let tree: Tree = parser.parse(text)!;
  /** `workers=(3, 1)` and `workers=(3, 12)` in turn: each has a different diagnostic. */
  const edit = (isLonger: boolean) => {
    const end = { ...PLACE, character: PLACE.character + (isLonger ? 0 : 1) };
    return { range: { start: PLACE, end }, text: isLonger ? '2' : '' };
  };
  const reparse = (isLonger: boolean): void => {
    const at = HEAD.length;
    const point = (column: number) => ({ row: PLACE.line, column });
    tree.edit(
      new Edit({
        startIndex: at,
        oldEndIndex: at + (isLonger ? 0 : 1),
        newEndIndex: at + (isLonger ? 1 : 0),
        startPosition: point(PLACE.character),
        oldEndPosition: point(PLACE.character + (isLonger ? 0 : 1)),
        newEndPosition: point(PLACE.character + (isLonger ? 1 : 0)),
      }),
    );
    const next = parser.parse(isLonger ? `${text.slice(0, at)}2${text.slice(at)}` : text, tree)!;
    tree.delete();
    tree = next;
  };

  const times = { ours: [] as number[], reparse: [] as number[], empty: [] as number[] };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const isLonger = round % 2 === 0;
    const params = { textDocument: { uri, version: round + 2 }, contentChanges: [edit(isLonger)] };
    for (const [name, work] of [
      ['reparse', () => reparse(isLonger)],
      ['empty', () => empty.changeAndSee(params)],
      ['ours', () => ours.changeAndSee(params)],
    ] as const) {
      const startedAt = performance.now();
      await work();
      if (round >= WARM_UP) times[name].push(performance.now() - startedAt);
    }
    // The effects on other files are not measured.
    await ours.settled();
  }
  const [own, bare, nothing] = [times.ours, times.reparse, times.empty].map((side) =>
    quantile(side, 0.5),
  ) as [number, number, number];
  process.stdout.write(
    `didChange → diagnostics: ${own.toFixed(3)} ms; bare reparse: ${bare.toFixed(3)} ms; null server: ${nothing.toFixed(3)} ms (medians of ${ROUNDS})\n`,
  );
  process.stdout.write(
    `didChange → own diagnostics / bare reparse + null didChange: ${(own / (bare + nothing)).toFixed(2)} (goal ≤ 2)\n`,
  );
  tree.delete();
  await ours.stop();
  await empty.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
