/** Bytes → whether a file may import `Endpoint` by the other name that a module of the project gives it. */
import { mentionsWord } from './prefilter.ts';

/** A module that offers `Endpoint` by another name, or what makes endpoints. */
export interface Alias {
  file: string;
  name: string;
}

/** Makes the test for files that contain neither `toolkit_sdk` nor `Endpoint`. */
export function aliasImport({ file, name }: Alias): (bytes: Buffer) => boolean {
  const parts = file.replace(/\.py$/, '').split('/');
  const isPackage = parts.at(-1) === '__init__';
  const module = (isPackage ? parts.at(-2) : parts.at(-1)) ?? '';
  // `from .module import name`, `from package import *`, and from inside of a package `from . import name`.
  const from = new RegExp(
    String.raw`\bfrom[ \t]+(?:[\w.]*(?:\b|\.)${escape(module)}${isPackage ? String.raw`|\.+` : ''})[ \t]+import[ \t]*(\*|\([^)]*|[^\n]*)`,
    'g',
  );
  const word = new RegExp(String.raw`^\*|\b${escape(name)}\b`);
  // `import module` or `from package import module`, then `module.name`.
  const plain = new RegExp(String.raw`\bimport\b[^\n]*\b${escape(module)}\b`);
  const member = new RegExp(String.raw`\.[ \t]*${escape(name)}\b`);
  const bytesOfName = Buffer.from(name);
  return (bytes) => {
    if (!mentionsWord(bytes, bytesOfName)) return false;
    const text = bytes.toString('latin1');
    if (member.test(text) && plain.test(text)) return true;
    return [...text.matchAll(from)].some((match) => word.test(match[1]!));
  };
}

function escape(text: string): string {
  return text.replace(/[^\w]/g, String.raw`\$&`);
}
