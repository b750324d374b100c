/** Texts of the project → the syntax from which schemas are created: type expressions and classes. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from '../../contract/diagnostic.ts';
import type { Definition } from '../binder/FileFacts.ts';
import { dottedPath, textOf, values } from '../binder/readExpression.ts';
import { placeKey, rangeOf } from '../syntax/range.ts';
import type { SyntaxNode, SyntaxParser } from '../syntax/SyntaxParser.ts';
import type { NameResolver } from './NameResolver.ts';

/** The sources from which schemas are read. */
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

/** A longer expression is data or generated code, not an annotation. */
const MAX_EXPRESSION = 10_000;

export class SchemaTexts {
  readonly #source: SchemaSource;
  readonly #texts = new Map<string, string>();
  readonly #files = new Map<string, WrittenFile>();

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  /** Walks the tree of one expression; null if the expression is not valid. */
  walk<Result>(expression: string, walk: (node: SyntaxNode, text: string) => Result): Result | null {
    if (expression.length > MAX_EXPRESSION) return null;
    // In parentheses, line ends and soft keywords have no special meaning.
    const text = `(${expression})`;
    return this.#parsed(text, (root) => {
      const [bracketed] = root.hasError ? [] : values(root).flatMap(values);
      const node = bracketed && values(bracketed)[0];
      return node ? walk(node, text) : null;
    });
  }

  classOf(file: string, { nameRange: { start } }: Definition): WrittenClass | null {
    return this.#read(file).classes.get(placeKey(start)) ?? null;
  }

  /** The value of `type Name = …` in a file. */
  aliasOf(file: string, name: string): string | null {
    // Avoids parsing the file: most names are Python's own, and a large file takes long to parse.
    const may = new RegExp(`^[ \\t]*type[ \\t]+${name}\\b`, 'm').test(this.#textOf(file));
    return may ? (this.#read(file).aliases.get(name) ?? null) : null;
  }

  /** The text in a range of a file. */
  slice(file: string, range: Range): string {
    return TextDocument.create('', '', 0, this.#textOf(file)).getText(range);
  }

  #read(file: string): WrittenFile {
    const text = this.#textOf(file);
    const known = this.#files.get(file) ?? this.#parsed(text, (root) => readFile(root, text));
    this.#files.set(file, known);
    return known;
  }

  #textOf(file: string): string {
    const text = this.#texts.get(file) ?? this.#source.textOf(file) ?? '';
    this.#texts.set(file, text);
    return text;
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

interface WrittenFile {
  /** By the `placeKey` of the class's name. */
  classes: ReadonlyMap<string, WrittenClass>;
  aliases: ReadonlyMap<string, string>;
}

function readFile(root: SyntaxNode, text: string): WrittenFile {
  const classes = root.descendantsOfType('class_definition').flatMap((node) => {
    const name = node.childForFieldName('name');
    return name ? [[placeKey(rangeOf(name).start), readClass(node, text)] as const] : [];
  });
  const aliases = root.descendantsOfType('type_alias_statement').flatMap((node) => {
    const [left, right] = values(node);
    return left && right ? [[textOf(left, text), textOf(right, text)] as const] : [];
  });
  return { classes: new Map(classes), aliases: new Map(aliases) };
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
