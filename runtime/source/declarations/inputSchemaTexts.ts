/** Texts of the project → the syntax that schemas are made from: expressions of types, and what classes say. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { Definition } from '../binder/FileFacts.ts';
import { dottedPath, textOf, values } from '../binder/readExpression.ts';
import type { SyntaxNode, SyntaxParser } from '../syntax/SyntaxParser.ts';
import type { NameResolver } from './NameResolver.ts';

/** What schemas are read from. */
export interface SchemaSource {
  names: NameResolver;
  parser: SyntaxParser;
  /** Null for a file that cannot be read. */
  textOf(file: string): string | null;
}

/** An annotated name, as written. */
export interface WrittenField {
  name: string;
  annotation: string | null;
  default: string | null;
}

export interface WrittenClass {
  /** Dotted names of the bases, without their type arguments. */
  bases: string[][];
  /** False for `class X(TypedDict, total=False)`. */
  total: boolean;
  fields: WrittenField[];
}

/** A longer expression is data or generated, and no annotation. */
const MAX_EXPRESSION = 10_000;

export class SchemaTexts {
  readonly #source: SchemaSource;
  /** File → the place of a class's name → the class. */
  readonly #classes = new Map<string, Map<string, WrittenClass>>();

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  /** Walks the tree of one expression; null for what is not a valid one. */
  walk<Result>(expression: string, walk: (node: SyntaxNode, text: string) => Result): Result | null {
    if (expression.length > MAX_EXPRESSION) return null;
    // In brackets, line ends and soft keywords mean nothing.
    const text = `(${expression})`;
    return this.#parsed(text, (root) => {
      const [bracketed] = root.hasError ? [] : values(root).flatMap(values);
      const node = bracketed && values(bracketed)[0];
      return node ? walk(node, text) : null;
    });
  }

  classOf(file: string, { nameRange: { start } }: Definition): WrittenClass | null {
    let classes = this.#classes.get(file);
    if (!classes) {
      const text = this.#source.textOf(file);
      classes = text === null ? new Map() : this.#parsed(text, (root) => classesIn(root, text));
      this.#classes.set(file, classes);
    }
    return classes.get(placeKey(start)) ?? null;
  }

  /** What a range of a file says. */
  slice(file: string, range: Range): string {
    return TextDocument.create('', '', 0, this.#source.textOf(file) ?? '').getText(range);
  }

  #parsed<Result>(text: string, walk: (root: SyntaxNode) => Result): Result {
    const tree = this.#source.parser.parse(text.replaceAll('\0', ' '));
    try {
      return walk(tree.rootNode);
    } finally {
      tree.delete();
    }
  }
}

function classesIn(root: SyntaxNode, text: string): Map<string, WrittenClass> {
  const classes = new Map<string, WrittenClass>();
  for (const node of root.descendantsOfType('class_definition')) {
    const name = node.childForFieldName('name')?.startPosition;
    if (name) classes.set(placeKey({ line: name.row, character: name.column }), readClass(node, text));
  }
  return classes;
}

function readClass(node: SyntaxNode, text: string): WrittenClass {
  const superclasses = node.childForFieldName('superclasses');
  const given = superclasses ? values(superclasses) : [];
  const body = node.childForFieldName('body');
  return {
    bases: given.flatMap((base) => {
      const named = base.type === 'subscript' ? base.childForFieldName('value') : base;
      const path = named && dottedPath(named, text);
      return path ? [path] : [];
    }),
    total: !given.some((one) => /^total\s*=\s*False$/.test(textOf(one, text))),
    fields: (body ? values(body) : []).flatMap((statement) => {
      const assignment = statement.type === 'expression_statement' ? values(statement)[0] : undefined;
      const left = assignment?.type === 'assignment' ? assignment.childForFieldName('left') : null;
      const type = assignment?.childForFieldName('type');
      if (left?.type !== 'identifier' || !type) return [];
      const value = assignment!.childForFieldName('right');
      return [
        { name: textOf(left, text), annotation: textOf(type, text), default: value && textOf(value, text) },
      ];
    }),
  };
}

function placeKey({ line, character }: Position): string {
  return `${line}:${character}`;
}
