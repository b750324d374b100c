/** A name that a completion adds → how to write it in the file, and the import that is missing. */
import type { TextEdit } from 'vscode-languageserver';
import type { Position } from '../../runtime/contract/diagnostic.ts';
import { SDK_MODULE } from '../../runtime/contract/names.ts';
import type { Binding, FileFacts, Import } from '../../runtime/source/binder/FileFacts.ts';
import { importTarget } from '../../runtime/source/binder/readImport.ts';
import { positionAt } from '../../runtime/source/syntax/lineEnds.ts';
import type { Cursor } from './cursor.ts';
import type { PythonContext } from './feature.ts';
import { lineStart, offsetAt } from './textPlaces.ts';

/** How to write a name at module level. */
export interface Written {
  text: string;
  edits: TextEdit[];
}

/** A name of toolkit_sdk such as `GpuGroup`. */
export function sdkName(context: PythonContext, name: string): Written {
  const bound = Object.entries(context.document.facts.scopes[0]!.bindings);
  const localName = (is: (binding: Binding) => boolean) =>
    bound.find(([, bindings]) => bindings.some(is))?.[0];
  const member = localName(
    (one) => one.kind === 'member' && one.name === name && one.target.module === SDK_MODULE,
  );
  if (member) return { text: member, edits: [] };
  const module = localName((one) => one.kind === 'module' && one.target.module === SDK_MODULE);
  if (module) return { text: `${module}.${name}`, edits: [] };
  return { text: name, edits: [importEdit(context, SDK_MODULE, name)] };
}

/** A name that another module of the project binds. */
export function moduleName(context: PythonContext, module: string, name: string): Written {
  if (Object.hasOwn(context.document.facts.scopes[0]!.bindings, name)) return { text: name, edits: [] };
  return { text: name, edits: [importEdit(context, module, name)] };
}

/** A module of the standard library. */
export function standardModule({ document }: PythonContext, name: string): Written {
  if (Object.hasOwn(document.facts.scopes[0]!.bindings, name)) return { text: name, edits: [] };
  const at = importPlace(document.text);
  return { text: name, edits: [insertion(at, `import ${name}${endOfLine(document.text)}`)] };
}

/**
 * Imports a name inside the innermost function around the cursor, after its docstring. Null if the function's body is
 * not on lines of its own.
 */
export function importInBody(cursor: Cursor, module: string, name: string): TextEdit | null {
  const { text, blocks, offset } = cursor;
  const body = blocks.findLast(({ keyword }) => keyword === 'def');
  if (!body?.indented || body.bodyStart === null || body.bodyStart > offset) return null;
  const start = lineStart(text, body.bodyStart);
  const indent = text.slice(start, body.bodyStart);
  if (indent.trim() !== '') return null;
  return insertion(positionAt(text, start), `${indent}from ${module} import ${name}${endOfLine(text)}`);
}

/** Adds the name to an existing import from the module, or adds a new import line. */
function importEdit({ document }: PythonContext, module: string, name: string): TextEdit {
  const { facts, text } = document;
  const statement = facts.imports.find((item) => imports(facts, item, module));
  const last = statement?.nameRanges.at(-1);
  if (!statement || !last) {
    const line = `from ${module} import ${name}${endOfLine(text)}`;
    return insertion(importPlace(text), line);
  }
  const before = statement.names!.findIndex((other) => other > name);
  if (before !== -1) return insertion(statement.nameRanges[before]!.start, `${name}, `);
  const end = offsetAt(text, last.end);
  const alias = /^[ \t]+as[ \t]+[^\s,)#]+/.exec(text.slice(end, end + 200))?.[0] ?? '';
  return insertion({ ...last.end, character: last.end.character + alias.length }, `, ${name}`);
}

function imports(facts: FileFacts, { target, names, scope, guard }: Import, module: string): boolean {
  if (scope !== 0 || guard !== null || names === null || names[0] === '*') return false;
  const wanted = importTarget(module, facts.file);
  return target.folder === wanted.folder && target.module === wanted.module;
}

/** Comments, docstrings and `__future__` imports at the beginning of a file. */
const PREAMBLE =
  /^\uFEFF?(?:[ \t\f]*(?:#[^\n]*)?\r?\n|[rR]?(?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')[^\n]*\n|from[ \t]+__future__[ \t]+import[ \t]*(?:\([^)]*\)[^\n]*|[^\n]*)\n)*/;

/** In characters. How much of the beginning of a file is read. */
const HEAD = 20_000;

/** Where a new import is added: before the first other statement. */
function importPlace(text: string): Position {
  return positionAt(text, PREAMBLE.exec(text.slice(0, HEAD))![0].length);
}

function insertion(at: Position, newText: string): TextEdit {
  return { range: { start: at, end: at }, newText };
}

/** The line end that the text uses. */
function endOfLine(text: string): string {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}
