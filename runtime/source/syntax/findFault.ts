/**
 * A segment and its statements → the one fault to report, with a range and a message. Valid Python has none.
 */
import type { Position, Range } from '../../contract/diagnostic.ts';
import { fillGaps } from './fillGaps.ts';
import { formFault } from './formFault.ts';
import { positionAt } from './lineEnds.ts';
import { mayBeRefused } from './mayBeRefused.ts';
import { mayBeMisordered, orderFault } from './orderFault.ts';
import type { ParsedSegment } from './ParsedSegment.ts';
import { mayBeMisplaced, placeFault } from './placeFault.ts';
import { movedRange, rangeOf } from './range.ts';
import { readSegment } from './readSegment.ts';
import type { TextFault } from './Segment.ts';
import type { SyntaxNode, SyntaxParser } from './SyntaxParser.ts';

/** Maximum number of source characters that a message quotes. */
const QUOTED = 30;

/** Whitespace that Python does not accept, and invisible characters. */
const INVISIBLE = /^(?:[^\S \t\f\r\n]|\p{Cf})/u;

/** A line that may be a Python 2 statement. */
const OLD_STATEMENT = /^[ \t]*(?:print|exec)\b(?![ \t]*[=(.])/m;

/** The ways in which faults are found, the most reliable first. */
const SURENESS = ['nul', 'layout', 'tree', 'old statement', 'order', 'form', 'bare try'] as const;

/** A syntax fault in a text. */
export interface SyntaxFault {
  message: string;
  range: Range;
  fix: string | null;
  /** Set if an argument or a parameter is out of order, which the grammar accepts. */
  isOrder?: true;
}

/** Statements without an error in their tree. */
type Statements = Pick<ParsedSegment, 'text' | 'source' | 'nodes'>;

/** A fault of a segment; `fileFault` selects the one to report for the file. */
export interface SegmentFault extends SyntaxFault {
  foundBy: (typeof SURENESS)[number];
  /** A position on the line that the end of the message names: "… on line 12." */
  ofLine: Position | null;
}

/** The most reliable fault in a segment; null for valid Python. Its lines are lines of the parsed text. */
export function findFault(parsed: ParsedSegment, parser: SyntaxParser): SegmentFault | null {
  const { segment, text, row, broken } = parsed;
  const layout = nulFault(text) ?? (segment.fault && layoutFault(segment.fault, text));
  if (layout) return moved(layout, row);
  if (!broken) return oldStatement(parsed) ?? (parsed.mayBeRefused ? refused(parsed) : null);
  const node = firstError(broken);
  return node && !isValid(parsed, parser) ? treeFault(node, parsed) : null;
}

/**
 * The fault to report for a file: the most reliable fault in its segments, or the first among equally
 * reliable ones.
 */
export function fileFault(faults: readonly SegmentFault[]): SyntaxFault | null {
  for (const kind of SURENESS) {
    const fault = faults.find(({ foundBy }) => foundBy === kind);
    if (!fault) continue;
    const { message, ofLine, range, fix, foundBy } = fault;
    const full = ofLine ? `${message} on line ${ofLine.line + 1}.` : message;
    return { message: full, range, fix, ...(foundBy === 'order' && { isOrder: true }) };
  }
  return null;
}

/** The first fault that can be found without a tree. */
export function layoutFaultOf(text: string): SyntaxFault | null {
  const nul = nulFault(text);
  if (nul) return fileFault([nul]);
  let at = 0;
  while (at < text.length) {
    const { length, fault } = readSegment(text, at);
    if (fault) {
      const found = layoutFault(fault, text.slice(at, at + length));
      return fileFault([moved(found, positionAt(text, at).line)]);
    }
    at += length;
  }
  return null;
}

/** Whether a text may have a fault; cheaper than locating the fault. */
export function hasFault(text: string, parser: SyntaxParser): boolean {
  if (layoutFaultOf(text)) return true;
  const tree = parser.parse(text);
  try {
    const { rootNode } = tree;
    const whole = { text, source: text, nodes: [rootNode] };
    const tries = () => rootNode.descendantsOfType('try_statement');
    return (
      rootNode.hasError ||
      oldStatement(whole) !== null ||
      (mayBeRefused(text) && refused(whole) !== null) ||
      tries().some((node) => bareTryFault(node))
    );
  } finally {
    tree.delete();
  }
}

function moved(fault: SegmentFault, lines: number): SegmentFault {
  const { range, ofLine } = fault;
  return {
    ...fault,
    range: movedRange(range, lines),
    ofLine: ofLine && { line: ofLine.line + lines, character: ofLine.character },
  };
}

function layoutFault({ start, end, message, ofLine, fix }: TextFault, text: string): SegmentFault {
  const range = { start: positionAt(text, start), end: positionAt(text, end) };
  return {
    foundBy: 'layout',
    message,
    range,
    fix,
    ofLine: ofLine === null ? null : positionAt(text, ofLine),
  };
}

function nulFault(text: string): SegmentFault | null {
  const nul = text.indexOf('\0');
  if (nul === -1) return null;
  const start = positionAt(text, nul);
  const range = { start, end: { ...start, character: start.character + 1 } };
  const message = 'Python source cannot contain NUL bytes.';
  return { foundBy: 'nul', message, range, fix: 'Remove them.', ofLine: null };
}

/**
 * The grammar treats some line ends inside brackets as ends of statements, so the text is parsed again
 * without them.
 */
function isValid({ segment, text }: ParsedSegment, parser: SyntaxParser): boolean {
  let joined = '';
  let from = 0;
  for (const { start, end } of segment.inBrackets) {
    joined += text.slice(from, start) + ' '.repeat(end - start);
    from = end;
  }
  joined += text.slice(from);
  const tree = parser.parse(fillGaps(joined));
  try {
    return firstError(tree.rootNode) === null;
  } finally {
    tree.delete();
  }
}

function treeFault(node: SyntaxNode, { source }: ParsedSegment): SegmentFault {
  const range = rangeOf(node);
  const fault = { foundBy: 'tree', fix: null, ofLine: null } as const;
  if (node.isMissing) {
    const expected = node.type === 'identifier' ? 'a name' : `"${node.type}"`;
    return { ...fault, message: `Python expects ${expected} here.`, range };
  }
  const invisible = INVISIBLE.exec(source.slice(node.startIndex, node.endIndex));
  if (invisible) {
    const at = node.startIndex + invisible.index;
    const code = invisible[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return {
      ...fault,
      message: `Python does not allow the invisible character U+${code} here.`,
      range: { start: positionAt(source, at), end: positionAt(source, at + invisible[0].length) },
      fix: 'Replace it with a space, or remove it.',
    };
  }
  const written = source.slice(node.startIndex, node.endIndex).trim().split('\n', 1)[0]!;
  const quoted = written.length > QUOTED ? `${written.slice(0, QUOTED)}…` : written;
  const message =
    quoted === '' ? 'This is not valid Python.' : `This is not valid Python, starting at "${quoted}".`;
  if (range.end.line === range.start.line) return { ...fault, message, range };
  const end = { line: range.start.line, character: range.start.character + written.length };
  return { ...fault, message, range: { start: range.start, end } };
}

/**
 * The first innermost error or missing node, in source order. Errors in type parameters do not count, because
 * the grammar does not support their defaults.
 */
function firstError(node: SyntaxNode): SyntaxNode | null {
  if (!node.hasError && !node.isMissing && !node.isError) return null;
  if (node.type === 'type_parameter') return null;
  for (const child of node.children) {
    const found = firstError(child);
    if (found) return found;
  }
  return node.isError || node.isMissing ? node : null;
}

/** Finds a `try` without handlers, which the grammar accepts. */
export function bareTryFault(node: SyntaxNode): SegmentFault | null {
  if (node.hasError || node.namedChildren.some(({ type }) => /^(?:except|finally)/.test(type))) return null;
  const { start } = rangeOf(node);
  const range = { start, end: { ...start, character: start.character + 'try'.length } };
  const message = 'This try needs an except or finally clause.';
  return { foundBy: 'bare try', message, range, fix: 'Add an except or finally clause.', ofLine: null };
}

function misordered({ text, source, nodes }: Statements): SegmentFault | null {
  const found = mayBeMisordered(text) ? orderFault(nodes, source) : null;
  if (!found) return null;
  const { message, node } = found;
  return { foundBy: 'order', message, range: rangeOf(node), fix: null, ofLine: null };
}

/** Finds code that the grammar accepts but Python refuses. */
function refused(parsed: Statements): SegmentFault | null {
  const { text, source, nodes } = parsed;
  const found = misordered(parsed);
  if (found) return found;
  const other = (mayBeMisplaced(text) ? placeFault(nodes) : null) ?? formFault(nodes, text, source);
  if (!other) return null;
  const { start, end, message, fix } = other;
  const range = { start: positionAt(source, start), end: positionAt(source, end) };
  return { foundBy: 'form', message, range, fix, ofLine: null };
}

/** Finds the two Python 2 statements that the grammar also accepts. */
function oldStatement({ text, nodes }: Statements): SegmentFault | null {
  if (!OLD_STATEMENT.test(text)) return null;
  for (const node of nodes.flatMap((one) => one.descendantsOfType(['print_statement', 'exec_statement']))) {
    if (node.namedChildren.some(({ type }) => type === 'chevron')) continue;
    const name = node.type === 'print_statement' ? 'print' : 'exec';
    return {
      foundBy: 'old statement',
      message: `${name} is a function in Python 3.`,
      range: rangeOf(node),
      fix: `Write ${name}(...).`,
      ofLine: null,
    };
  }
  return null;
}
