/** A text → the modules that its import statements name, before it is parsed. What a comment or a text says counts too. */
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
    // A part of a text would keep the whole of it in memory.
    for (const module of modules) if (module !== '') names.add(Buffer.from(module).toString());
  }
  return [...names].map((name) => importTarget(name, file));
}
