/** Bytes → whether a file may take a name from a module of the project, and by which names it offers that in turn. */
import { wordsOf } from './importedWords.ts';

/** A name of a module by which other files may declare endpoints, or add to them. */
export interface OfferedName {
  file: string;
  name: string;
}

const WORD = String.raw`\w\u0080-\uffff`;
const BLANKS = String.raw`(?:[ \t\f]|\\\r?\n)`;
/** The names of an import, in parentheses or not. */
const LIST = String.raw`\*|\((?:[^()#]|#[^\n]*)*\)|(?:[^\n\\(]|\\\r?\n)*`;

/**
 * Makes the test. It gives the names by which the file takes it, none where it takes the module; null when it takes
 * neither.
 */
export function takesName({ file, name }: OfferedName): (text: string) => string[] | null {
  const [own = '', ...around] = wordsOf(file).map(escape);
  const isPackage = file.endsWith('__init__.py');
  const said = escape(name);
  // `from .module import name`, `from package import *`, and from inside of a package `from . import name`.
  const from = new RegExp(
    String.raw`\bfrom${BLANKS}*(?:[.${WORD}]*(?<![${WORD}])${own}${isPackage ? String.raw`|\.+` : ''})${BLANKS}*\bimport(?![${WORD}])${BLANKS}*(${LIST})`,
    'g',
  );
  const item = new RegExp(String.raw`^\*|(?<![${WORD}])${said}(?![${WORD}])(?:\s+as\s+([${WORD}]+))?`, 'g');
  // `import module`, `import package` or `from package import module`, then `module.name`.
  const module = [own, ...around].join('|');
  const plain = new RegExp(
    String.raw`\bimport${BLANKS}*(?:\*|(?:\([^)]*|[^\n(]*)(?<![${WORD}])(?:${module})(?![${WORD}]))`,
  );
  const member = new RegExp(String.raw`\.\s*${said}(?![${WORD}])`);
  return (text) => {
    const taken = [...text.matchAll(from)].flatMap(([, list]) =>
      [...list!.matchAll(item)].map(([, as = name]) => as),
    );
    return taken.length > 0 || (member.test(text) && plain.test(text)) ? taken : null;
  };
}

function escape(text: string): string {
  return text.replace(/[^\w\u0080-\uffff]/g, String.raw`\$&`);
}
