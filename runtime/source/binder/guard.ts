/** Finds which statements of a `try` or `with` are allowed to fail, because the failure is caught. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Guard } from './reach.ts';
import { textOf } from './readExpression.ts';

/** `with suppress(ImportError)`, from contextlib. */
const SUPPRESSED = /\bsuppress\s*\([^)]*\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b/;

/** The guard of the body of a `with` statement. */
export function guardOfWith(node: SyntaxNode, text: string): Guard | null {
  const items = node.namedChildren.find(({ type }) => type === 'with_clause');
  return items && SUPPRESSED.test(textOf(items, text)) ? 'optional' : null;
}

/** Handlers that catch a failed import, and handlers that name the import error. */
const HANDLED = /^except\s*$|\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b/;
const FALLBACK = /\b(?:ImportError|ModuleNotFoundError)\b/;

/** The guard of the body of a `try` statement: imports may fail if a handler catches the failure. */
export function guardOfTry(node: SyntaxNode, text: string): Guard | null {
  const headers = node.namedChildren.map((clause) => headerOf(clause, text));
  return headers.some((header) => header !== null && HANDLED.test(header)) ? 'optional' : null;
}

/** The guard of a handler of a `try` statement. `ofTry` is the guard of the `try` body. */
export function guardOfHandler(clause: SyntaxNode, text: string, ofTry: Guard | null): Guard | null {
  return FALLBACK.test(headerOf(clause, text) ?? '') ? 'fallback' : ofTry;
}

/** The text before the colon of an `except` clause; null for other clauses. */
function headerOf(clause: SyntaxNode, text: string): string | null {
  return clause.type.startsWith('except') ? textOf(clause, text).split(':', 1)[0]! : null;
}
