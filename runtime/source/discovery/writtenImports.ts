/** A text → its import statements, without parsing it. Also finds imports in comments and strings. */

/** What can separate two parts of a statement: whitespace, or a backslash at the end of a line. */
const JOINT = String.raw`[ \t\f]|\\\r?\n`;
const NAME = String.raw`\w\u0080-\uffff`;
/** `from module import names`, or `import modules`. */
const IMPORT = new RegExp(
  String.raw`\bfrom(?![${NAME}])((?:(?!\bfrom\b)[.${NAME}]|${JOINT})+?)(?<![${NAME}])import\b(?:${JOINT})*(\*|\((?:[^()#]+|#[^\n]*)*|(?:[,${NAME}]|${JOINT})+)|\bimport(?:${JOINT})((?:[.,${NAME}]|${JOINT})+)`,
  'g',
);
const FIRST_NAME = new RegExp(`[${NAME}]+`);

/** One import from a module, or of a module. */
export interface WrittenImport {
  /** The module from which names are imported, or the module that is bound: `a` for `import a.b`. */
  module: string;
  /** The names; `['*']` for all; null when the module itself is bound. */
  names: string[] | null;
}

/** The imports of a text, in order. */
export function* writtenImports(text: string): Generator<WrittenImport> {
  for (const [, from, names = '', modules = ''] of text.matchAll(IMPORT)) {
    if (from !== undefined) yield { module: copied(joined(from)), names: namesIn(names) };
    else for (const item of modules.split(',')) yield { module: copied(boundModule(item)), names: null };
  }
}

/** Copies a substring: callers may keep it, and a substring would keep the whole text in memory. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

function namesIn(list: string): string[] {
  if (list === '*') return [list];
  const items = list.replace(/#[^\n]*/g, '').split(',');
  return items.flatMap((item) => FIRST_NAME.exec(item) ?? []).map(joined);
}

function boundModule(item: string): string {
  const [module, alias] = item.split(/[\s\\]as[\s\\]/, 2);
  return alias === undefined ? joined(module!).split('.', 1)[0]! : joined(module!);
}

/** Normalizes a name as Python compares it, and removes whitespace around dots. */
function joined(written: string): string {
  return written.replace(/[\s\\]/g, '').normalize('NFKC');
}
