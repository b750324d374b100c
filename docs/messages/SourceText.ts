/**
 * An expression in a TypeScript file → the texts that it can have. A value known only at run time appears as a name
 * in braces: `The port {port} is taken.`
 */
import { constantValue, isPlain } from './constantValue.ts';
import type { Node } from './Node.ts';
import { placeholder } from './placeholder.ts';
import { isFunction, type SourceFile } from './SourceFile.ts';
import { chosen, joined, plain, type Variant, without } from './Variant.ts';

/** How deep to follow a text through variables and functions. */
const DEEPEST = 4;

/** The function in VS Code's `l10n.t(text, ...values)`. */
const TRANSLATE = 't';

/** Expressions that are texts, and no values in a text. */
const TEXTS = ['ConditionalExpression', 'TemplateLiteral'];

export class SourceText {
  readonly #source: SourceFile;

  constructor(source: SourceFile) {
    this.#source = source;
  }

  /** The texts that an expression can have; several if it is conditional, or a parameter with several callers. */
  textsOf(node: Node | undefined, around: Node[], depth = 0): Variant[] {
    if (!node) return [];
    if (depth > DEEPEST) return [this.#placeholder(node)];
    switch (node.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? [plain(node['value'])] : [];
      case 'TemplateLiteral':
        return this.#template(node, around, depth);
      case 'TSAsExpression':
      case 'TSNonNullExpression':
        return this.textsOf(node['expression'], around, depth);
      case 'ConditionalExpression':
        return [node['consequent'], node['alternate']].flatMap((one, at) =>
          chosen(this.textsOf(one, around, depth), this.#condition(node, around), at),
        );
      case 'LogicalExpression':
        return [node['left'], node['right']].flatMap((one) => this.textsOf(one, around, depth));
      case 'BinaryExpression':
        return joined(this.textsOf(node['left'], around, depth), this.textsOf(node['right'], around, depth));
      case 'Identifier':
        return this.#textsOfName(node, around, depth);
      case 'MemberExpression':
        return this.#textsOfMember(node, around, depth);
      default:
        return this.#textsOfCall(node, around, depth);
    }
  }

  #placeholder(node: Node): Variant {
    return plain(placeholder(node, this.#source.text));
  }

  /** Equal conditions of one function have the same result. */
  #condition({ test }: Node, around: Node[]): string {
    return `${around.findLast(isFunction)?.start} ${this.#source.text.slice(test.start, test.end)}`;
  }

  /** The texts of a template: one for each branch of the conditionals in it. */
  #template(node: Node, around: Node[], depth: number): Variant[] {
    const parts = (node['quasis'] as Node[]).map((one) => one['value'].cooked as string);
    const values = (node['expressions'] as Node[]).map((one) => this.#valuesInText(one, around, depth));
    return parts.reduce<Variant[]>(
      (texts, part, at) => joined(joined(texts, [plain(part)]), values[at] ?? [plain('')]),
      [plain('')],
    );
  }

  #valuesInText(node: Node, around: Node[], depth: number): Variant[] {
    const known = node.type === 'Identifier' ? this.#source.constant(node['name'], around) : null;
    if (known?.type === 'Literal') return [plain(String(known['value']))];
    const value = constantValue(node, (name) => this.#source.valueOf(name, around));
    if (isPlain(value)) return [plain(String(value))];
    if (TEXTS.includes((known ?? node).type)) return this.textsOf(node, around, depth + 1);
    const given = node.type === 'Identifier' && !known ? this.#given(node, around, depth) : [];
    // Sentences; other arguments say less than the name of the parameter.
    return given.some(({ text }) => / .*[.:]$/.test(text)) ? given : [this.#placeholder(node)];
  }

  #textsOfName(node: Node, around: Node[], depth: number): Variant[] {
    const name = node['name'] as string;
    if (name === 'undefined') return [];
    const constant = this.#source.constant(name, around);
    if (constant) return this.textsOf(constant, around, depth + 1);
    const given = this.#given(node, around, depth);
    return given.length > 0 ? given : [this.#placeholder(node)];
  }

  /** The texts that callers in this file give for a parameter, or that it has by default. */
  #given(node: Node, around: Node[], depth: number): Variant[] {
    const made = around.filter(isFunction).findLast((one) => parameterAt(one, node['name']) !== -1);
    if (!made) return [];
    const at = parameterAt(made, node['name']);
    const inside = [...around.slice(0, around.indexOf(made)), made];
    return this.#source.callsOf(made).flatMap(({ node: call, around: outer }) => {
      const argument = call['arguments'][at] as Node | undefined;
      const texts = argument
        ? this.textsOf(argument, outer, depth + 1)
        : this.textsOf(made['params'][at].right, inside, depth + 1);
      return chosen(texts, callKey(made), call.start);
    });
  }

  /** All values of a constant object, for a lookup in it: `HINTS[source]`. */
  #textsOfMember(node: Node, around: Node[], depth: number): Variant[] {
    const table = node['computed'] ? this.#source.constant(node['object'].name, around) : null;
    if (table?.type !== 'ObjectExpression') return [this.#placeholder(node)];
    return (table['properties'] as Node[]).flatMap((one) => this.textsOf(one['value'], around, depth + 1));
  }

  /** The texts that a function of this file returns, for a call. */
  #textsOfCall(node: Node, around: Node[], depth: number): Variant[] {
    const called =
      node.type === 'CallExpression' ? (node['callee'].property ?? node['callee'])['name'] : null;
    if (called === TRANSLATE) return [this.#translated(node['arguments'], around)];
    const made = called && this.#source.functionNamed(called);
    if (!made) return [this.#placeholder(node)];
    const key = callKey(made.node);
    return without(chosen(this.#returned(made.node, made.around, depth), key, node.start), key);
  }

  #returned(made: Node, around: Node[], depth: number): Variant[] {
    if (made['body'].type !== 'BlockStatement') {
      return this.textsOf(made['body'], [...around, made], depth + 1);
    }
    return this.#source
      .nodes('ReturnStatement')
      .filter(({ around: inner }) => inner.findLast(isFunction) === made)
      .flatMap(({ node, around: inner }) => this.textsOf(node['argument'], inner, depth + 1));
  }

  /** A text of `l10n.t`, with the names of its values. */
  #translated([text, ...values]: Node[], around: Node[]): Variant {
    const filled = (text!['value'] as string).replaceAll(
      /\{(\d+)\}/g,
      (_, at: string) => this.#valuesInText(values[Number(at)]!, around, 0)[0]!.text,
    );
    return plain(filled);
  }
}

/** The choice between the calls of a function. */
function callKey(made: Node): string {
  return `call of ${made.start}`;
}

function parameterAt(made: Node, name: string): number {
  return (made['params'] as Node[]).findIndex((one) => (one['left'] ?? one)['name'] === name);
}
