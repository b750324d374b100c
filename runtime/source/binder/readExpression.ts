/** Expression nodes → `Expression`. Kinds that the arguments of a declaration never need are opaque. */

import type { Range } from '../../contract/diagnostic.ts';
import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Argument, Call, DictEntry, Expression, Operator } from './Expression.ts';
import { readString } from './readString.ts';

/** Generated code may nest or add thousands of terms. Handwritten declarations are never deeper than this. */
const MAX_DEPTH = 60;

/**
 * In characters. A longer literal is data, and reading all of its items would take longer than parsing it.
 */
const MAX_LENGTH = 100_000;

/** Reads any expression node. */
export function readExpression(node: SyntaxNode, text: string, depth = 0): Expression {
  const range = rangeOf(node);
  const opaque: Expression = { kind: 'opaque', range };
  const isData = node.endIndex - node.startIndex > MAX_LENGTH;
  if (depth > MAX_DEPTH || isData || node.hasError) return opaque;
  const read = (child: SyntaxNode) => readExpression(child, text, depth + 1);
  const field = (name: string): Expression => {
    const child = node.childForFieldName(name);
    return child ? read(child) : opaque;
  };
  switch (node.type) {
    case 'string':
      return readString(node, text, read);
    case 'concatenated_string':
      return { kind: 'concatenation', parts: values(node).map(read), range };
    case 'integer':
    case 'float':
      return readNumber(textOf(node, text), opaque);
    case 'unary_operator':
      return readSigned(node, text, field('argument'), opaque);
    case 'true':
    case 'false':
      return { kind: 'boolean', value: node.type === 'true', range };
    case 'none':
      return { kind: 'none', range };
    case 'identifier':
    case 'attribute': {
      const path = dottedPath(node, text);
      if (path) return { kind: 'reference', path, range };
      return { kind: 'attribute', object: field('object'), name: attributeName(node, text), range };
    }
    case 'parenthesized_expression': {
      const inner = values(node)[0];
      return inner ? inBrackets(read(inner), range) : opaque;
    }
    case 'tuple':
    case 'expression_list':
    case 'list':
    case 'set': {
      const type = node.type === 'expression_list' ? 'tuple' : node.type;
      const items = values(node).map(read);
      // Python refuses `(*a)`. Whether the grammar reads it as a tuple depends on the code around it.
      const isBracket = node.type === 'tuple' && !node.children.some((child) => child.type === ',');
      return isBracket && items[0] ? inBrackets(items[0], range) : { kind: 'sequence', type, items, range };
    }
    case 'list_splat':
      return { kind: 'spread', value: values(node).map(read)[0] ?? opaque, range };
    case 'dictionary':
      return { kind: 'dict', entries: values(node).map((entry) => readEntry(entry, read)), range };
    case 'binary_operator': {
      const operator = node.childForFieldName('operator')?.type ?? '';
      if (!isOperator(operator)) return opaque;
      return { kind: 'binary', operator, left: field('left'), right: field('right'), range };
    }
    case 'call': {
      const call = readCall(node, text, depth + 1);
      return call ? { kind: 'call', call, range } : (readMethod(node, text, depth) ?? opaque);
    }
    case 'subscript':
      return { kind: 'subscript', object: field('value'), index: field('subscript'), range };
    default:
      return opaque;
  }
}

/**
 * An expression in parentheses. The parentheses belong to its range, so the content of a literal begins later
 * in the range.
 */
function inBrackets(inner: Expression, range: Range): Expression {
  if (inner.kind !== 'string' || inner.contentOffset === null) return { ...inner, range };
  const { start } = inner.range;
  const before = start.line === range.start.line ? start.character - range.start.character : null;
  return { ...inner, contentOffset: before === null ? null : before + inner.contentOffset, range };
}

/** Reads a `call` node; null if the callee is not a dotted name. */
export function readCall(node: SyntaxNode, text: string, depth = 0): Call | null {
  const callee = node.childForFieldName('function');
  const list = node.childForFieldName('arguments');
  const path = callee && dottedPath(callee, text);
  if (!callee || !path || list?.type !== 'argument_list') return null;
  return {
    callee: path,
    calleeRange: rangeOf(callee),
    arguments: values(list)
      // Code that cannot be read has its own finding.
      .filter(({ type }) => type !== 'ERROR')
      .map((argument) => readArgument(argument, text, depth)),
    range: rangeOf(node),
  };
}

/** `a.b.c`, even with parts in parentheses → its names; null for anything except names joined by dots. */
export function dottedPath(node: SyntaxNode, text: string): string[] | null {
  const path: string[] = [];
  let current: SyntaxNode | null = node;
  while (current?.type === 'attribute' || current?.type === 'parenthesized_expression') {
    const attribute: SyntaxNode | null = current.childForFieldName('attribute');
    if (attribute) path.push(nameOf(attribute, text));
    else if (current.type === 'attribute') return null;
    current = attribute ? current.childForFieldName('object') : (values(current)[0] ?? null);
  }
  if (current?.type !== 'identifier') return null;
  path.push(nameOf(current, text));
  return path.toReversed();
}

/**
 * A name, normalized like Python does: letters that only look different, such as a ligature, are the same.
 */
export function nameOf(node: SyntaxNode, text: string): string {
  const name = textOf(node, text);
  return /[\u0080-\uffff]/.test(name) ? name.normalize('NFKC') : name;
}

/** The text of a node. */
export function textOf(node: SyntaxNode, text: string): string {
  return text.slice(node.startIndex, node.endIndex);
}

/** Named children without comments and line continuations, which may be anywhere. */
export function values(node: SyntaxNode): SyntaxNode[] {
  return node.namedChildren.filter((child) => child.type !== 'comment' && child.type !== 'line_continuation');
}

function readArgument(node: SyntaxNode, text: string, depth: number): Argument {
  const none = { keyword: null, keywordRange: null };
  if (node.type === 'keyword_argument') {
    const name = node.childForFieldName('name');
    const value = node.childForFieldName('value');
    if (name && value) {
      return {
        keyword: textOf(name, text),
        keywordRange: rangeOf(name),
        spread: null,
        value: readExpression(value, text, depth + 1),
      };
    }
  }
  if (node.type === 'list_splat' || node.type === 'dictionary_splat') {
    const inner = values(node)[0];
    const value: Expression = inner
      ? readExpression(inner, text, depth + 1)
      : { kind: 'opaque', range: rangeOf(node) };
    return { ...none, spread: node.type === 'list_splat' ? '*' : '**', value };
  }
  return { ...none, spread: null, value: readExpression(node, text, depth + 1) };
}

function readEntry(node: SyntaxNode, read: (node: SyntaxNode) => Expression): DictEntry {
  const opaque: Expression = { kind: 'opaque', range: rangeOf(node) };
  if (node.type === 'pair') {
    const key = node.childForFieldName('key');
    const value = node.childForFieldName('value');
    if (key && value) return { key: read(key), value: read(value) };
  }
  const inner = node.type === 'dictionary_splat' ? values(node)[0] : undefined;
  return { key: null, value: inner ? read(inner) : opaque };
}

function attributeName(node: SyntaxNode, text: string): string {
  const name = node.childForFieldName('attribute');
  return name ? textOf(name, text) : '';
}

/** Reads the call of an attribute of something that is not a dotted name, such as `"…".format(…)`. */
function readMethod(node: SyntaxNode, text: string, depth: number): Expression | null {
  const callee = node.childForFieldName('function');
  const object = callee?.type === 'attribute' ? callee.childForFieldName('object') : null;
  const list = node.childForFieldName('arguments');
  if (!callee || !object || list?.type !== 'argument_list') return null;
  return {
    kind: 'method',
    object: readExpression(object, text, depth + 1),
    name: attributeName(callee, text),
    arguments: values(list).map((argument) => readArgument(argument, text, depth)),
    range: rangeOf(node),
  };
}

/** Reads an expression with a sign. A sign before a number belongs to the number. */
function readSigned(node: SyntaxNode, text: string, value: Expression, opaque: Expression): Expression {
  const sign = textOf(node, text)[0];
  if (sign !== '-' && sign !== '+') return opaque;
  const { range } = opaque;
  if (value.kind !== 'number')
    return value.kind === 'opaque' ? opaque : { kind: 'unary', sign, value, range };
  const isMinus = sign === '-' && !(value.integer && value.value === 0);
  return { ...value, value: isMinus ? -value.value : value.value, range };
}

function isOperator(text: string): text is Operator {
  return /^(?:[-+%|]|\*\*?|\/\/?)$/.test(text);
}

/** Complex numbers, and integers that a double cannot hold, are opaque. */
function readNumber(written: string, opaque: Expression): Expression {
  const digits = written.replaceAll('_', '').toLowerCase();
  const value = Number(digits);
  const integer = /^(?:0[xob][0-9a-f]+|\d+)$/.test(digits);
  if (Number.isNaN(value) || (integer && !Number.isSafeInteger(value))) return opaque;
  return { kind: 'number', value, integer, range: opaque.range };
}
