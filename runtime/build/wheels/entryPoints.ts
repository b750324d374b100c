/** A wheel's entry_points.txt → the scripts that an installer writes to `bin/`. */

/** One script. */
export interface EntryPointScript {
  path: string;
  bytes: Buffer;
}

const SECTIONS = new Set(['console_scripts', 'gui_scripts']);
const OBJECT_REFERENCE = /^([\w.]+)\s*:\s*([\w.]+)\s*(?:\[.*\])?$/;
/** A plain file name, not `.` or `..`. */
const SAFE_NAME = /^(?!\.{1,2}$)[\w.-]+$/;

/** The scripts in `console_scripts` and `gui_scripts`, in the file's order. Other lines are ignored. */
export function entryPointScripts(text: string): EntryPointScript[] {
  const scripts: EntryPointScript[] = [];
  let section = '';
  for (const line of text.split(/\r?\n/).map((raw) => raw.trim())) {
    const header = /^\[(.+)\]$/.exec(line);
    if (header) section = header[1]!.trim();
    const equals = line.indexOf('=');
    if (header || equals < 0 || !SECTIONS.has(section) || /^[#;]/.test(line)) continue;
    const name = line.slice(0, equals).trim();
    const reference = OBJECT_REFERENCE.exec(line.slice(equals + 1).trim());
    if (reference && SAFE_NAME.test(name)) {
      scripts.push({ path: `bin/${name}`, bytes: script(reference[1]!, reference[2]!) });
    }
  }
  return scripts;
}

function script(module: string, object: string): Buffer {
  const imported = object.split('.')[0]!;
  return Buffer.from(
    [
      '#!/usr/bin/env python3',
      'import sys',
      `from ${module} import ${imported}`,
      'if __name__ == "__main__":',
      `    sys.exit(${object}())`,
      '',
    ].join('\n'),
  );
}
