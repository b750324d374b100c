/**
 * Compares the free names of real functions with Python's own symbol table: the names that its compiler reads
 * from the module must equal the ones the reader finds.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isGlobal, scopesAround } from '../../runtime/source/binder/LexicalScope.ts';
import { NameWalk } from '../../runtime/source/binder/NameWalk.ts';
import { textOf } from '../../runtime/source/binder/readExpression.ts';
import type { SyntaxNode } from '../../runtime/source/syntax/SyntaxParser.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));

/**
 * Words that begin a statement in some Python versions, so that the grammar parses `type(self).x = 1` as one.
 */
const STATEMENTS: ReadonlySet<string> = new Set(['exec', 'match', 'print', 'type']);

/**
 * Files that this Python can compile → line and name of each function of the module → the names of the module
 * that the function, or code inside it, reads. `x += 1` also reads. A future import keeps annotations out of
 * the tables.
 */
const TABLES = `
import ast, json, pathlib, symtable, sys, sysconfig, warnings
warnings.simplefilter("ignore")
folder = pathlib.Path(sysconfig.get_path("stdlib"))
files = sorted(f for f in folder.rglob("*.py") if "site-packages" not in f.parts)
files = files[:: max(1, len(files) // int(sys.argv[1]))]

def reads(table, tree):
    names = {s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced()}
    return names.union(*(reads(child, tree) for child in table.get_children()))

def added(tree, names):
    targets = (node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign))
    declared = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    return {t.id for t in targets if isinstance(t, ast.Name) and t.id in declared} | names

found = {}
for file in files:
    try:
        text = file.read_text("utf-8")
        tree = ast.parse(text)
        table = symtable.symtable("from __future__ import annotations\\n" + text, str(file), "exec")
    except (SyntaxError, ValueError):
        continue
    functions = [n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    tables = [t for t in table.get_children() if t.get_type() == "function"]
    for node in functions:
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        own = [t for t in tables if t.get_name() == node.name and t.get_lineno() in (node.lineno + 1, first + 1)]
        if len(own) == 1:
            names = added(node, reads(own[0], node)) - {"__class__"}
            found.setdefault(str(file), {})[f"{node.lineno}:{node.name}"] = sorted(names)
print(json.dumps(found))
`;

/**
 * Compares functions of the standard library.
 *
 * @param files - Approximate number of its files.
 * @returns The number of compared functions.
 */
export async function compareWithPython(files: number): Promise<number> {
  const output = execFileSync(python, ['-c', TABLES, String(files)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const tables = JSON.parse(output) as Record<string, Record<string, string[]>>;
  const parser = await loadWasmParser();
  let compared = 0;
  for (const [file, functions] of Object.entries(tables)) {
    const text = readFileSync(file, 'utf8').replaceAll(/\r\n?/g, '\n');
    const tree = parser.parse(text);
    try {
      for (const statement of tree.rootNode.namedChildren) {
        const node = statement.childForFieldName('definition') ?? statement;
        const name = node.childForFieldName('name');
        const known = name && functions[`${node.startPosition.row + 1}:${textOf(name, text)}`];
        const wanted = known?.filter((one) => !STATEMENTS.has(one));
        if (node.type !== 'function_definition' || !wanted) continue;
        compared += 1;
        const names = freeNames(node, text).filter((one) => !STATEMENTS.has(one));
        assert.deepEqual(names.toSorted(), wanted, `${file}:${node.startPosition.row + 1}`);
      }
    } finally {
      tree.delete();
    }
  }
  return compared;
}

/**
 * Names of the module that running a function reads. Newer versions of Python evaluate annotations only on
 * demand.
 */
function freeNames(definition: SyntaxNode, text: string): string[] {
  const walk = new NameWalk(text);
  walk.statements([definition]);
  const { body } = walk.definitions.find(({ node }) => node.startIndex === definition.startIndex)!;
  const read = walk.uses.filter(
    (use) =>
      use.role === 'read' && !use.flow.annotation && scopesAround(use.scope).includes(body) && isGlobal(use),
  );
  return [...new Set(read.map(({ name }) => name))];
}
