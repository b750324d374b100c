/**
 * Compares every name of real files with Python's own symbol table: which scope owns the name where it is
 * used.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type LexicalScope, ownerOf } from '../../runtime/source/binder/LexicalScope.ts';
import type { NameUse } from '../../runtime/source/binder/NameUse.ts';
import { nameUses } from '../../runtime/source/references/nameUses.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));

/** Approximate number of files of the standard library. */
const FILES = 10;

/** A scope of Python's tables: its type, its first line, and the owner of each name. */
interface Table {
  type: string;
  line: number;
  names: Record<string, 'own' | 'outer' | 'module'>;
}

/**
 * Texts with their scopes. Since 3.12, names of comprehensions are in the tables of the surrounding
 * functions, so they are left out there.
 */
const TABLES = `
import json, pathlib, symtable, sys, sysconfig, warnings
warnings.simplefilter("ignore")
folder = pathlib.Path(sysconfig.get_path("stdlib"))
files = sorted(folder.glob("*.py"))
files = files[:: max(1, len(files) // int(sys.argv[1]))]
files += [folder / "test" / f"test_{name}.py" for name in ("scope", "named_expressions", "listcomps", "patma")]

def whose(symbol):
    return "own" if symbol.is_local() else "outer" if symbol.is_free() else "module"

def scopes(table):
    inlined = set()
    if sys.version_info >= (3, 12):
        inlined = {s.get_name() for t in table.get_children() if t.get_name().endswith("comp") for s in t.get_symbols()}
    names = {s.get_name(): whose(s) for s in table.get_symbols() if s.get_name() not in inlined}
    line = 0 if table.get_type() == "module" else table.get_lineno()
    yield {"type": str(table.get_type()), "line": line, "names": names}
    for child in table.get_children():
        yield from scopes(child)

found = []
for file in filter(pathlib.Path.exists, files):
    try:
        text = file.read_text("utf-8")
        found.append({"file": str(file), "text": text, "tables": list(scopes(symtable.symtable(text, str(file), "exec")))})
    except (SyntaxError, ValueError):
        continue
print(json.dumps(found))
`;

describe('nameUses', () => {
  it('resolves every name like Python, in part of its library', async () => {
    const output = execFileSync(python, ['-c', TABLES, String(FILES)], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const parser = await loadWasmParser();
    let compared = 0;
    for (const { file, text, tables } of JSON.parse(output) as {
      file: string;
      text: string;
      tables: Table[];
    }[]) {
      const tree = parser.parse(text);
      try {
        for (const name of namesIn(text)) {
          for (const use of nameUses(tree.rootNode, text, name)) {
            const { scope, role, node } = use;
            if (role === 'attribute' || role === 'imported-as' || role === 'exported') continue;
            const known = tablesOf(tables, scope, text).flatMap(({ names }) =>
              Object.hasOwn(names, name) ? [names[name]!] : [],
            );
            // Python decides at run time which name the body of a class reads.
            if (known.length === 0 || (scope.kind === 'class' && role === 'read')) continue;
            compared += 1;
            assert.ok(
              known.includes(whose(use)) || (scope.parent === null && known.includes('module')),
              `${file}:${node.startPosition.row + 1} ${name} is ${whose(use)}, and ${known} to Python`,
            );
          }
        }
      } finally {
        tree.delete();
      }
    }
    assert.ok(compared > 3_000, `${compared} compared`);
  });
});

/** In classes, Python mangles names that begin with two underscores. */
function namesIn(text: string): Set<string> {
  return new Set((text.match(/[A-Za-z_]\w*/g) ?? []).filter((name) => !name.startsWith('__')));
}

/** Several scopes can begin in one line. */
function tablesOf(tables: readonly Table[], scope: LexicalScope, text: string): Table[] {
  const line = scope.parent === null ? 0 : text.slice(0, scope.node!.startIndex).split('\n').length;
  const wanted = scope.kind === 'class' || scope.kind === 'module' ? scope.kind : 'function';
  return tables.filter((table) => table.line === line && table.type.endsWith(wanted));
}

function whose(use: NameUse): 'own' | 'outer' | 'module' {
  const owner = ownerOf(use);
  if (owner === use.scope) return 'own';
  return owner === null || owner.parent === null ? 'module' : 'outer';
}
