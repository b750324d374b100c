/**
 * One TypeScript file → the texts that an expression in it can have. Values known only at run time appear as their
 * source in braces: `The port {port} is taken.`
 */
import { parseSync } from 'oxc-parser';

/** A node of the syntax tree. */
export interface Node {
  type: string;
  start: number;
  end: number;
  // The tree has many node types, of which only a few are read here.
  // oxlint-disable-next-line typescript/no-explicit-any
  [field: string]: any;
}

/** How deep to follow a text through variables and functions. */
const DEEPEST = 4;

/** The function in VS Code's `l10n.t(text, ...values)`. */
const TRANSLATE = 't';

export class SourceText {
  readonly file: string;
  readonly #text: string;
  /** Each node with its ancestors, innermost last. */
  readonly #nodes: { node: Node; around: Node[] }[] = [];

  constructor(file: string, text: string) {
    this.file = file;
    this.#text = text;
    this.#walk(parseSync(file, text).program as unknown as Node, []);
  }

  /** The nodes of one type, in source order. */
  nodes(type: string): { node: Node; around: Node[] }[] {
    return this.#nodes.filter(({ node }) => node.type === type);
  }

  /** The texts that an expression can have; several if it is conditional, or a parameter with several callers. */
  textsOf(node: Node | undefined, around: Node[], depth = 0): string[] {
    if (!node) return [];
    if (depth > DEEPEST) return [this.#placeholder(node)];
    switch (node.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? [node['value']] : [];
      case 'TemplateLiteral':
        return [this.#template(node, around)];
      case 'TSAsExpression':
      case 'TSNonNullExpression':
        return this.textsOf(node['expression'], around, depth);
      case 'ConditionalExpression':
        return [node['consequent'], node['alternate']].flatMap((one) => this.textsOf(one, around, depth));
      case 'LogicalExpression':
        return [node['left'], node['right']].flatMap((one) => this.textsOf(one, around, depth));
      case 'BinaryExpression':
        return this.textsOf(node['left'], around, depth).flatMap((left) =>
          this.textsOf(node['right'], around, depth).map((right) => left + right),
        );
      case 'Identifier':
        return this.#textsOfName(node, around, depth);
      default:
        return this.#textsOfCall(node, depth);
    }
  }

  /** The text for an expression whose value is known only at run time. */
  #placeholder(node: Node): string {
    return `{${this.#text.slice(node.start, node.end).replaceAll(/\s+/g, ' ')}}`;
  }

  #template(node: Node, around: Node[]): string {
    const parts = (node['quasis'] as Node[]).map((one) => one['value'].cooked as string);
    const values = (node['expressions'] as Node[]).map((one) => {
      const known = one.type === 'Identifier' ? this.#constant(one['name'], around) : null;
      return known?.type === 'Literal' ? String(known['value']) : this.#placeholder(one);
    });
    return parts.map((part, at) => part + (values[at] ?? '')).join('');
  }

  #textsOfName(node: Node, around: Node[], depth: number): string[] {
    const name = node['name'] as string;
    if (name === 'undefined') return [];
    const constant = this.#constant(name, around);
    if (constant) return this.textsOf(constant, around, depth + 1);
    const given = this.#givenByCallers(name, around).flatMap(({ node: one, around: outer }) =>
      this.textsOf(one, outer, depth + 1),
    );
    return given.length > 0 ? given : [this.#placeholder(node)];
  }

  /** The initializer of a `const` with that name. */
  #constant(name: string, around: Node[]): Node | null {
    const inside = this.nodes('VariableDeclarator').findLast(
      ({ node, around: outer }) =>
        node['id'].name === name && node['init'] && scopeOf(outer).every((one) => around.includes(one)),
    );
    return inside?.node['init'] ?? null;
  }

  /** The arguments that callers in this file pass for a parameter. */
  #givenByCallers(name: string, around: Node[]): { node: Node; around: Node[] }[] {
    for (const made of around.filter(isFunction).toReversed()) {
      const at = (made['params'] as Node[]).findIndex((one) => (one['left'] ?? one)['name'] === name);
      if (at === -1) continue;
      const called = this.#nameOf(made);
      return this.nodes('CallExpression')
        .filter(({ node }) => (node['callee'].property ?? node['callee'])['name'] === called)
        .flatMap(({ node, around: outer }) => {
          const argument = node['arguments'][at] as Node | undefined;
          return argument ? [{ node: argument, around: outer }] : [];
        });
    }
    return [];
  }

  /** The texts that a function of this file returns, for a call. */
  #textsOfCall(node: Node, depth: number): string[] {
    const called =
      node.type === 'CallExpression' ? (node['callee'].property ?? node['callee'])['name'] : null;
    if (called === TRANSLATE) return [node['arguments'][0].value];
    const made = this.#nodes.find((one) => isFunction(one.node) && this.#nameOf(one.node) === called);
    if (!called || !made) return [this.#placeholder(node)];
    if (made.node['body'].type !== 'BlockStatement') {
      return this.textsOf(made.node['body'], [...made.around, made.node], depth + 1);
    }
    const returned = this.nodes('ReturnStatement').filter(
      ({ around }) => around.findLast(isFunction) === made.node,
    );
    return returned.flatMap(({ node: one, around }) => this.textsOf(one['argument'], around, depth + 1));
  }

  #nameOf(made: Node): string | null {
    const parent = this.#nodes.find(({ node }) => node === made)?.around.at(-1);
    return made['id']?.name ?? parent?.['id']?.name ?? parent?.['key']?.name ?? null;
  }

  #walk(value: unknown, around: Node[]): void {
    if (Array.isArray(value)) {
      for (const one of value) this.#walk(one, around);
    } else if (isNode(value)) {
      this.#nodes.push({ node: value, around });
      for (const one of Object.values(value)) this.#walk(one, [...around, value]);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isFunction(node: Node): boolean {
  return /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(node.type);
}

/** The functions that contain a declaration. */
function scopeOf(around: Node[]): Node[] {
  return around.filter(isFunction);
}
