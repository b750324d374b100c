/** Values of `workers=`: common pairs, and the rest of the quota. */
import { CompletionItemKind } from 'vscode-languageserver';
import { maxWorkers } from '../../runtime/source/declarations/quotaShares.ts';
import type { CursorContext } from './atCursor.ts';
import type { ArgumentPlace } from './callArguments.ts';
import type { Offer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import { declarationsOf, workersOfAll } from './declared.ts';
import type { PythonContext } from './feature.ts';
import { split } from './tokens.ts';

const COMMON = [
  [0, 1],
  [0, 3],
  [1, 3],
  [1, 5],
] as const;

/** Offers after `workers=`, after its bracket, and after the comma inside. */
export function workerOffers(context: CursorContext, place: ArgumentPlace): Offer[] {
  const { cursor } = context;
  const { inner, begun } = place;
  if (cursor.string) return [];
  const { left, share } = quotaLeft(context, place);
  if (!inner) return begun ? [] : pairs(left, share, ['(', ')']);
  if (inner.bracket === '{' || inner !== cursor.brackets.at(-1)) return [];
  const parts = split(inner.inside);
  const close = isClosed(cursor) ? '' : inner.bracket === '(' ? ')' : ']';
  if (parts.length === 1 && parts[0]!.length === 0) return pairs(left, share, ['', close]);
  if (parts.length !== 2 || parts[1]!.length > 0) return [];
  const [first] = parts[0]!;
  const min = first ? Number(first.text) : 0;
  const fitting = [1, 3, 5, left].filter((max) => max > 0 && max >= min && max <= left);
  const most = [...new Set(fitting.length > 0 ? fitting : [Math.max(1, min)])].sort((a, b) => a - b);
  // Add a space after the comma.
  const pad = cursor.text.slice(0, cursor.word.start).endsWith(',') ? ' ' : '';
  return most.map((max) => ({
    label: String(max),
    text: `${pad}${max}${close}`,
    kind: CompletionItemKind.Value,
    detail: share(max),
  }));
}

function pairs(left: number, share: (max: number) => string, [open, close]: [string, string]): Offer[] {
  const fitting = COMMON.filter(([, max]) => max <= left);
  // When nothing is left, the pair with the fewest workers exceeds the quota the least.
  const isEven = fitting.some(([, max]) => max === left);
  const all = left < 1 ? [COMMON[0]] : [...fitting, ...(isEven ? [] : [[0, left] as const])];
  return all.map(([min, max]) => ({
    label: `${open}${min}, ${max}${open === '' ? '' : close}`,
    text: `${open}${min}, ${max}${close}`,
    kind: CompletionItemKind.Value,
    detail: share(max),
  }));
}

/** The quota that the other endpoints do not use. */
function quotaLeft({ project, document }: PythonContext, { line }: ArgumentPlace) {
  const { quota } = project.config;
  const { index } = project;
  const own = declarationsOf(index, document.file).find(({ call: { range } }) => range.start.line === line);
  const left = Math.max(0, quota - workersOfAll(index) + (own ? maxWorkers(own) : 0));
  const rest = left === 0 ? 'none is' : left === 1 ? '1 is' : `${left} are`;
  return { left, share: (max: number) => `${max} of ${quota} workers, ${rest} left` };
}

function isClosed({ text, offset }: Cursor): boolean {
  return /^[ \t\d]*[)\]]/.test(text.slice(offset, offset + 40));
}
