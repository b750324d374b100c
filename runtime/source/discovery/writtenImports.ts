/** A text → its import statements, without parsing it. Those in comments and strings count too. */

/** What joins two parts of a statement's line. */
const JOINT = String.raw`[ \t\f]|\\\r?\n`;
const NAME = String.raw`\w\u0080-\uffff`;
/** `from module import names`, or `import modules`. */
const IMPORT = new RegExp(
  String.raw`\bfrom(?![${NAME}])((?:(?!\bfrom\b)[.${NAME}]|${JOINT})+?)(?<![${NAME}])import\b(?:${JOINT})*(\*|\((?:[^()#]+|#[^\n]*)*|(?:[,${NAME}]|${JOINT})+)|\bimport(?:${JOINT})((?:[.,${NAME}]|${JOINT})+)`,
  'g',
);
const FIRST_NAME = new RegExp(`[${NAME}]+`);

/** What one import takes from a module. */
export interface WrittenImport {
  /** The module that names are taken from, or that is bound itself: `a` for `import a.b`. */
  module: string;
  /** The names, `['*']` for all; null where the module itself is bound. */
  names: string[] | null;
}

/** The imports of a text, in order. */
export function* writtenImports(text: string): Generator<WrittenImport> {
  for (const [, from, names = '', modules = ''] of text.matchAll(IMPORT)) {
    if (from !== undefined) yield { module: copied(joined(from)), names: namesIn(names) };
    else for (const item of modules.split(',')) yield { module: copied(boundModule(item)), names: null };
  }
}

/** A module's name may be kept, and a substring would keep the whole text in memory. */
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

/** As Python compares names, in which blanks may be around dots. */
function joined(written: string): string {
  return written.replace(/[\s\\]/g, '').normalize('NFKC');
}
