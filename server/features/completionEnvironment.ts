/** Values of `env=`: the names of variables in the project's `.env`. Their values are never used. */
import { CompletionItemKind } from 'vscode-languageserver';
import { PROJECT_FILES } from '../../runtime/contract/names.ts';
import type { CursorContext } from './atCursor.ts';
import type { ArgumentPlace } from './callArguments.ts';
import { closing, literal, type Offer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import type { PythonContext } from './feature.ts';
import { standardModule } from './missingImport.ts';
import type { OpenBracket } from './structure.ts';
import { split, type Token } from './tokens.ts';

/** Files that define variables. */
const SOURCES = [PROJECT_FILES.dotenv, `${PROJECT_FILES.dotenv}.example`];
const DEFINITION = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/gm;

/** Offers in the dict, at a key or at its value, and in `os.environ["…"]`. */
export function environmentOffers(context: CursorContext, { inner, begun }: ArgumentPlace): Offer[] {
  const { cursor } = context;
  const names = variableNames(context);
  const innermost = cursor.brackets.at(-1)!;
  const { text: os, edits } = standardModule(context, 'os');
  const read = (name: string) => `${os}.environ["${name}"]`;
  if (cursor.string && readsEnvironment(innermost)) return names.map((name) => keyOffer(cursor, name));
  if (inner?.bracket !== '{' || innermost !== inner) {
    if (begun || cursor.string) return [];
    return names.map((name) => ({ ...READ, label: `{"${name}": ${read(name)}}`, detail: null, edits }));
  }
  const entries = split(inner.inside);
  const [key, colon] = entries.pop()!;
  const given = new Set(entries.map(([first]) => contentOf(first)));
  const rest = names.filter((name) => !given.has(name));
  if (colon) {
    if (cursor.string) return [];
    // The variable with the key's own name comes first.
    const wanted = new Set([contentOf(key), ...rest].filter((name) => name !== ''));
    return [...wanted].map((name) => {
      return { ...READ, label: read(name), snippet: `${os}.environ["${literal(name)}"]`, edits };
    });
  }
  if (!cursor.string)
    return rest.map((name) => ({ ...READ, label: `"${name}": ${read(name)}`, filter: name, edits }));
  // If nothing follows the key, the offer also closes the quote and adds the value.
  const { closed, quote } = cursor.string;
  const isAlone = !closed && !/^["']?[ \t]*:/.test(cursor.text.slice(cursor.offset, cursor.offset + 20));
  return rest.map((name) => {
    const offer = keyOffer(cursor, name);
    return isAlone ? { ...offer, text: `${name}${quote}: ${read(name)}`, detail: READ.detail, edits } : offer;
  });
}

/** Common fields of offers that add a variable's value. */
const READ = { kind: CompletionItemKind.Value, detail: 'filled in when you deploy' };

function keyOffer(cursor: Cursor, label: string): Offer {
  return { label, text: label + closing(cursor), kind: CompletionItemKind.Variable };
}

/** The names of the variables. The text after `=` is a secret and is not read. */
function variableNames({ project }: PythonContext): string[] {
  const names = SOURCES.flatMap((file) =>
    [...(project.textOf(file) ?? '').matchAll(DEFINITION)].map(([, name]) => name!),
  );
  return [...new Set(names)];
}

function readsEnvironment({ callee, bracket }: OpenBracket): boolean {
  const path = callee.join('.');
  return bracket === '[' ? /(?:^|\.)environ$/.test(path) : /(?:^|\.)(?:getenv|environ\.get)$/.test(path);
}

function contentOf(token: Token | undefined): string {
  return token?.kind === 'string' ? token.content : '';
}
