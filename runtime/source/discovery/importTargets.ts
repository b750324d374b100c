/**
 * A text → the modules that its import statements name, without parsing it. Imports in comments and strings count too.
 */
import type { ImportTarget } from '../binder/FileFacts.ts';
import { importTarget } from '../binder/readImport.ts';

/** What joins two parts of a statement's line. */
const JOINT = String.raw`[ \t\f]|\\\r?\n`;
const NAME = String.raw`\w\u0080-\uffff`;
/** `from module import`, or `import modules`. */
const IMPORT = new RegExp(
  String.raw`\bfrom(?![${NAME}])((?:(?!\bfrom\b)[.${NAME}]|${JOINT})+?)(?<![${NAME}])import\b|\bimport(?:${JOINT})((?:[.,${NAME}]|${JOINT})+)`,
  'g',
);

/** The modules, each once. `import a.b` names `a` too, which is what it binds. */
export function importTargets(text: string, file: string): ImportTarget[] {
  const names = new Set<string>();
  for (const [, from, list = ''] of text.matchAll(IMPORT)) {
    const modules = from === undefined ? list.split(',').flatMap(modulesOf) : [withoutJoints(from)];
    // A substring would keep the whole text in memory.
    for (const module of modules) if (module !== '') names.add(Buffer.from(module).toString());
  }
  return [...names].map((name) => importTarget(name, file));
}

/** Of one item of `import a, b.c as d`. */
function modulesOf(item: string): string[] {
  const [written, alias] = item.split(/[\s\\]as[\s\\]/, 2);
  const module = withoutJoints(written!);
  return alias === undefined ? [module.split('.', 1)[0]!, module] : [module];
}

function withoutJoints(written: string): string {
  return written.replace(/[\s\\]/g, '');
}
