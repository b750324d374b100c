/** Values of `env=`: the names that the project's `.env` has. Its values are read by nobody here. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { PROJECT_FILES } from '../../runtime/contract/names.ts';
import type { ArgumentPlace } from './argumentPlace.ts';
import { split } from './callArguments.ts';
import { closing, itemsOf, literal, stringSpan } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import type { FeatureContext } from './feature.ts';
import { standardModule } from './missingImport.ts';
import type { OpenBracket } from './structure.ts';
import { isString, type StringToken } from './tokens.ts';

/** Files that name variables, the first that has a name counts. */
const SOURCES = [PROJECT_FILES.dotenv, `${PROJECT_FILES.dotenv}.example`];
const DEFINITION = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/gm;

/** Offers in the dict, at a key or at its value, and in `os.environ["…"]`. */
export function environmentOffers(
  context: FeatureContext,
  cursor: Cursor,
  { inner, begun }: ArgumentPlace,
): CompletionItem[] {
  const names = variableNames(context);
  const innermost = cursor.brackets.at(-1)!;
  if (cursor.string && readsEnvironment(innermost)) {
    return itemsOf(
      context,
      cursor,
      names.map((label) => ({ label, text: label + closing(cursor), kind: CompletionItemKind.Variable })),
      stringSpan(cursor),
    );
  }
  if (inner?.bracket !== '{' || innermost !== inner) return begun ? [] : wholeDict(context, cursor, names);
  const entries = split(cursor.text, inner.inside);
  const [key, colon] = entries.pop()!;
  const given = new Set(entries.map(([first]) => (first && isString(first) ? content(cursor, first) : '')));
  const rest = names.filter((name) => !given.has(name));
  if (colon) return cursor.string ? [] : values(context, cursor, rest, key);
  return cursor.string ? keys(context, cursor, rest) : entriesOf(context, cursor, rest);
}

/** Names alone: what stands behind `=` is a secret. */
function variableNames({ project }: FeatureContext): string[] {
  const names = SOURCES.flatMap((file) =>
    [...(project.textOf(file) ?? '').matchAll(DEFINITION)].map(([, name]) => name!),
  );
  return [...new Set(names)];
}

function readsEnvironment({ callee, bracket }: OpenBracket): boolean {
  const path = callee.join('.');
  return bracket === '[' ? /(?:^|\.)environ$/.test(path) : /(?:^|\.)(?:getenv|environ\.get)$/.test(path);
}

function wholeDict(context: FeatureContext, cursor: Cursor, names: readonly string[]): CompletionItem[] {
  if (cursor.string) return [];
  const { text, edits } = standardModule(context, 'os');
  return itemsOf(
    context,
    cursor,
    names.map((name) => ({
      label: `{"${name}": ${text}.environ["${name}"]}`,
      kind: CompletionItemKind.Value,
      edits,
    })),
  );
}

function entriesOf(context: FeatureContext, cursor: Cursor, names: readonly string[]): CompletionItem[] {
  const { text, edits } = standardModule(context, 'os');
  return itemsOf(
    context,
    cursor,
    names.map((name) => ({
      label: `"${name}": ${text}.environ["${name}"]`,
      filter: name,
      kind: CompletionItemKind.Value,
      detail: 'filled in at deploy',
      edits,
    })),
  );
}

function keys(context: FeatureContext, cursor: Cursor, names: readonly string[]): CompletionItem[] {
  const isAlone = !/^["']?[ \t]*:/.test(cursor.text.slice(cursor.offset, cursor.offset + 20));
  const quote = cursor.string!.quote;
  const { text, edits } = standardModule(context, 'os');
  // The value is added too where the dict goes on with nothing: behind the quote that closes the key.
  return itemsOf(
    context,
    cursor,
    names.map((label) => ({
      label,
      kind: CompletionItemKind.Variable,
      text: label + closing(cursor),
      ...(isAlone && !cursor.string!.closed
        ? { text: `${label}${quote}: ${text}.environ["${label}"]`, detail: 'filled in at deploy', edits }
        : {}),
    })),
    stringSpan(cursor),
  );
}

/** The variable of the key's own name first. */
function values(
  context: FeatureContext,
  cursor: Cursor,
  names: readonly string[],
  key: Parameters<typeof isString>[0] | undefined,
): CompletionItem[] {
  const own = key && isString(key) ? content(cursor, key) : '';
  const { text, edits } = standardModule(context, 'os');
  return itemsOf(
    context,
    cursor,
    [...new Set([own, ...names])]
      .filter((name) => name !== '')
      .map((name) => ({
        label: `${text}.environ["${name}"]`,
        snippet: `${text}.environ["${literal(name)}"]`,
        kind: CompletionItemKind.Value,
        detail: 'filled in at deploy',
        edits,
      })),
  );
}

function content({ text }: Cursor, string: StringToken): string {
  return text.slice(string.contentStart, string.contentEnd);
}
