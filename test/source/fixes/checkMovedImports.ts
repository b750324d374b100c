/**
 * Moves imports of real packages into the bodies that use them. Python's own symbol tables show whether a
 * name is then missing that was there before.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { FindingReader } from '../../../runtime/source/findings/FindingReader.ts';
import { moveImports } from '../../../runtime/source/fixes/move-import.ts';
import { LiveProject } from '../../../runtime/source/snapshot/LiveProject.ts';
import { runSteps } from '../../../runtime/source/steps.ts';
import { loadWasmParser } from '../../../runtime/source/syntax/wasmParser.ts';
import { writeProject } from '../checkProject.ts';
import { ensurePackages, type Package } from '../packages.ts';
import { applied } from './checkFix.ts';

/** Turns any file into one with a declaration. */
const DECLARATION = '\nfrom toolkit_sdk import Endpoint\n@Endpoint()\ndef declared_here(): ...\n';
/** Longer files show nothing more. */
const MOST_CHARACTERS = 60_000;

/** All of them together exceed the longest argument of a process. */
const MOVES_AT_ONCE = 2_000;

/** Moves each import by itself, and all of a file together. */
export async function checkMovedImports(
  t: TestContext,
  packages: readonly Package[],
  least: number,
): Promise<void> {
  ensurePackages(packages);
  const live = new LiveProject({
    root: writeProject({ 'a.py': '' }),
    parser: await loadWasmParser(),
    findings: FindingReader,
    onCrash: (file, error) => {
      throw new Error(`${file} cannot be read.`, { cause: error });
    },
  });
  runSteps(live.read());
  await live.configure();
  runSteps(live.update());
  const moves: [title: string, before: string, after: string][] = [];
  for (const [file, text] of packages.flatMap(pythonFiles)) {
    live.open('a.py', text);
    const project = live.view();
    const ranges = project
      .diagnosticsOf('a.py')
      .filter(({ code }) => code === 'top-level-import')
      .map(({ range }) => range);
    for (const some of [...ranges.map((range) => [range]), ranges]) {
      for (const fix of moveImports(project, 'a.py', some)) {
        moves.push([`${file}: ${fix.title}`, text, applied({ 'a.py': text }, fix)['a.py']!]);
      }
    }
  }
  assert.ok(moves.length > least, `${moves.length} moves`);
  t.diagnostic(`${moves.length} moves`);
  assert.equal(missingNames(moves), '');
}

function pythonFiles({ name, folder }: Package): [file: string, text: string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file): [string, string][] => {
    if (!file.endsWith('.py')) return [];
    const text = readFileSync(path.join(folder, file), 'utf8');
    return text.length > MOST_CHARACTERS ? [] : [[`${name}/${file}`, `${text}${DECLARATION}`]];
  });
}

/** Moves after which Python cannot parse the text, or misses a name that it had. Empty on success. */
function missingNames(moves: readonly [title: string, before: string, after: string][]): string {
  const program = `
import builtins, json, symtable, sys

def missing(text):
    top = symtable.symtable(text, "text", "exec")
    bound = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    found = set()
    def visit(table, path):
        for symbol in table.get_symbols():
            name = symbol.get_name()
            is_outer = table is top or symbol.is_global()
            if is_outer and symbol.is_referenced() and name not in bound and not hasattr(builtins, name):
                found.add((path, name))
        for child in table.get_children():
            visit(child, f"{path}.{child.get_name()}")
    visit(top, "")
    return found

for title, before, after in json.load(sys.stdin):
    try:
        known = missing(before)
    except SyntaxError:
        continue
    try:
        new = missing(after) - known
    except SyntaxError as error:
        print(title, error)
        continue
    if new:
        print(title, sorted(new))
`;
  const lines: string[] = [];
  for (let at = 0; at < moves.length; at += MOVES_AT_ONCE) {
    lines.push(
      execFileSync('python3', ['-W', 'ignore', '-c', program], {
        input: JSON.stringify(moves.slice(at, at + MOVES_AT_ONCE)),
        encoding: 'utf8',
        maxBuffer: 10_000_000,
      }),
    );
  }
  return lines.join('');
}
