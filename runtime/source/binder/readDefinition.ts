/** `def` and `class` statements → their names, decorators, parameters and description. */
import type { Parameter, ParameterKind } from '../../contract/endpoint.ts';
import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Decorator, Definition } from './FileFacts.ts';
import type { Reach } from './reach.ts';
import { dottedPath, nameOf, readCall, readExpression, textOf, values } from './readExpression.ts';

/** The properties that are read from the definition itself; the caller adds the others. */
type DefinitionText = Omit<Definition, 'scope' | 'body' | 'decorators' | keyof Reach>;

/**
 * Reads a function, a class or a lambda.
 *
 * @param mayBeServed - Whether to read the parameters and the docstring of a function.
 */
export function readDefinition(
  node: SyntaxNode,
  name: SyntaxNode,
  text: string,
  mayBeServed: boolean,
): DefinitionText {
  const isClass = node.type === 'class_definition';
  const parameters = mayBeServed ? node.childForFieldName('parameters') : null;
  const superclasses = node.childForFieldName('superclasses');
  return {
    kind: isClass ? 'class' : 'function',
    name: nameOf(name, text),
    nameRange: rangeOf(name),
    line: (node.type === 'lambda' ? name : node).startPosition.row + 1,
    async: node.children[0]?.type === 'async',
    description: mayBeServed || isClass ? readDescription(node.childForFieldName('body'), text) : null,
    parameters: parameters ? readParameters(parameters, text) : [],
    ...(mayBeServed && saysBytes(node.childForFieldName('return_type'), text) && { returnsBytes: true }),
    bases: superclasses
      ? values(superclasses).flatMap((base) => {
          const path = dottedPath(base, text);
          return path ? [{ path, range: rangeOf(base) }] : [];
        })
      : [],
  };
}

const BYTES = /^(?:bytes|bytes\|None|None\|bytes|(?:\w+\.)?Optional\[bytes\])$/;

function saysBytes(annotation: SyntaxNode | null, text: string): boolean {
  return annotation !== null && BYTES.test(textOf(annotation, text).replace(/["'\s]/g, ''));
}

/** Reads one `decorator` node. */
export function readDecorator(node: SyntaxNode, text: string): Decorator {
  const target = values(node)[0];
  const range = rangeOf(node);
  const call = target?.type === 'call' ? readCall(target, text) : null;
  const named = target?.type === 'call' ? target.childForFieldName('function') : target;
  return {
    path: named ? dottedPath(named, text) : null,
    pathRange: named ? rangeOf(named) : range,
    call,
    range,
  };
}

/** The first line of the docstring that is not blank. */
function readDescription(body: SyntaxNode | null, text: string): string | null {
  const first = body && values(body)[0];
  const literal = first?.type === 'expression_statement' ? values(first)[0] : first;
  if (literal?.type !== 'string' && literal?.type !== 'concatenated_string') return null;
  const docstring = readExpression(literal, text);
  const parts = docstring.kind === 'concatenation' ? docstring.parts : [docstring];
  let value = '';
  for (const part of parts) {
    // An f-string is not a docstring.
    if (
      part.kind !== 'string' ||
      /f/i.test(text.slice(literal.startIndex, literal.startIndex + 2).split(/['"]/)[0]!)
    ) {
      return null;
    }
    value += part.value;
  }
  return value.trim().split(/\r?\n/)[0]?.trim() || null;
}

function readParameters(node: SyntaxNode, text: string): Parameter[] {
  const parameters: Parameter[] = [];
  let kind: ParameterKind = 'positional-or-keyword';
  for (const child of values(node)) {
    if (child.type === 'positional_separator') {
      for (const earlier of parameters) earlier.kind = 'positional-only';
    } else if (child.type === 'keyword_separator') {
      kind = 'keyword-only';
    } else {
      const parameter = readParameter(child, text, kind);
      if (!parameter) continue;
      parameters.push(parameter);
      if (parameter.kind === 'var-positional') kind = 'keyword-only';
    }
  }
  return parameters;
}

function readParameter(node: SyntaxNode, text: string, kind: ParameterKind): Parameter | null {
  const type = node.childForFieldName('type');
  const value = node.childForFieldName('value');
  const named = node.childForFieldName('name') ?? (node.type === 'typed_parameter' ? values(node)[0] : node);
  if (!named) return null;
  const shared = {
    annotation: type ? textOf(type, text) : null,
    default: value ? textOf(value, text) : null,
  };
  if (named.type === 'list_splat_pattern' || named.type === 'dictionary_splat_pattern') {
    const name = values(named)[0];
    if (!name) return null;
    const splat = named.type === 'list_splat_pattern' ? 'var-positional' : 'var-keyword';
    return { ...shared, name: textOf(name, text), required: false, kind: splat };
  }
  if (named.type !== 'identifier') return null;
  return { ...shared, name: textOf(named, text), required: value === null, kind };
}
