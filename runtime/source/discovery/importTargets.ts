/**
 * A text → the modules that its import statements name, without parsing it. Imports in comments and strings count too.
 */
import type { ImportTarget } from '../binder/FileFacts.ts';
import { importTarget } from '../binder/readImport.ts';

const SPACE = String.raw`(?:[ \t]|\\\r?\n)`;
/** `from module import`, or `import modules`. */
const IMPORT = new RegExp(
  String.raw`\bfrom${SPACE}+([\w.]+)${SPACE}+import\b|\bimport${SPACE}+([\w., \t]+)`,
  'g',
);

/** The modules, each once. */
export function importTargets(text: string, file: string): ImportTarget[] {
  const names = new Set<string>();
  for (const [, from, list = ''] of text.matchAll(IMPORT)) {
    const modules =
      from === undefined ? list.split(',').map((item) => item.trim().split(/\s/, 1)[0]!) : [from];
    // A substring would keep the whole text in memory.
    for (const module of modules) if (module !== '') names.add(Buffer.from(module).toString());
  }
  return [...names].map((name) => importTarget(name, file));
}
