/** Import statements → the modules that they look for and the names that they bind. */

import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Import, ImportTarget } from './FileFacts.ts';
import type { Reach } from './reach.ts';
import { nameOf, values } from './readExpression.ts';

/** What an import binds to a name. */
type ImportBinding =
  | { kind: 'module'; target: ImportTarget }
  | { kind: 'member'; target: ImportTarget; name: string };

/** The parts of an import statement. */
interface ImportText {
  imports: Omit<Import, 'scope' | keyof Reach>[];
  bindings: { name: string; binding: ImportBinding }[];
  star: ImportTarget | null;
}

/** Reads `import_statement`, `import_from_statement` or `future_import_statement` of a file. */
export function readImport(node: SyntaxNode, text: string, file: string): ImportText {
  if (node.type === 'import_statement') return readPlain(node, text);
  if (node.type !== 'import_from_statement') return { imports: [], bindings: [], star: null };
  const module = node.childForFieldName('module_name');
  if (!module) return { imports: [], bindings: [], star: null };
  const target = readTarget(module, text, file);
  const items = values(node).filter((child) => child.startIndex !== module.startIndex);
  if (items.some((item) => item.type === 'wildcard_import')) {
    const range = rangeOf(module);
    return {
      imports: [{ target, names: ['*'], range, nameRanges: [range], locals: [] }],
      bindings: [],
      star: target,
    };
  }
  const named = items.map((item) => readAlias(item, text)).filter((item) => item.name !== '');
  return {
    imports: [
      {
        target,
        names: named.map((item) => item.name),
        range: rangeOf(module),
        nameRanges: named.map((item) => item.range),
        locals: named.map(({ name, alias }) => alias ?? name),
      },
    ],
    bindings: named.map(({ name, alias }) => ({
      name: alias ?? name,
      binding: { kind: 'member', target, name },
    })),
    star: null,
  };
}

function readPlain(node: SyntaxNode, text: string): ImportText {
  const result: ImportText = { imports: [], bindings: [], star: null };
  for (const child of values(node)) {
    const { name, alias, range } = readAlias(child, text);
    if (name === '') continue;
    const first = name.split('.')[0]!;
    const target = { folder: null, module: name };
    result.imports.push({ target, names: null, range, nameRanges: [], locals: [alias ?? first] });
    result.bindings.push({
      name: alias ?? first,
      binding: { kind: 'module', target: { folder: null, module: alias ? name : first } },
    });
  }
  return result;
}

function readAlias(node: SyntaxNode, text: string) {
  const name = node.type === 'aliased_import' ? node.childForFieldName('name') : node;
  const alias = node.type === 'aliased_import' ? node.childForFieldName('alias') : null;
  return {
    name: name?.type === 'dotted_name' || name?.type === 'identifier' ? dotted(name, text) : '',
    alias: alias ? nameOf(alias, text) : null,
    range: rangeOf(name ?? node),
  };
}

function readTarget(node: SyntaxNode, text: string, file: string): ImportTarget {
  return importTarget(dotted(node, text), file);
}

/** The target of a module name as written in a file. Leading dots begin in the file's own folder. */
export function importTarget(written: string, file: string): ImportTarget {
  const module = written.replace(/^\.+/, '');
  if (module === written) return { folder: null, module };
  const folders = file.split('/').slice(0, -1);
  const up = written.length - module.length - 1;
  if (up > folders.length) return { folder: undefined, module };
  return { folder: folders.slice(0, folders.length - up).join('/'), module };
}

/** Python allows whitespace around the dots in a name. */
function dotted(node: SyntaxNode, text: string): string {
  return nameOf(node, text).replace(/\s/g, '');
}
