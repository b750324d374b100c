/**
 * One TypeScript file → the texts that an expression in it can have. A value known only at run time appears as a name
 * in braces: `The port {port} is taken.`
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { constantValue, isPlain } from './constantValue.ts';
import type { Node } from './Node.ts';

/** How deep to follow a text through variables and functions. */
const DEEPEST = 4;

/** Objects whose functions say less about a value than its argument does. */
const GLOBALS: ReadonlySet<string> = new Set(['Array', 'JSON', 'Math', 'Object']);

/** The function in VS Code's `l10n.t(text, ...values)`. */
const TRANSLATE = 't';

/** By path. Many files import the same few files of constants. */
const READ = new Map<string, SourceText | null>();

export class SourceText {
  readonly file: string;
  readonly #root: string;
  readonly #text: string;
  /** Each node with its ancestors, innermost last. */
  readonly #nodes: { node: Node; around: Node[] }[] = [];

  /** @param root The folder that the file's path is relative to. */
  constructor(root: string, file: string) {
    this.file = file;
    this.#root = root;
    const text = readFileSync(path.join(root, file), 'utf8');
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
        return this.#template(node, around, depth);
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
      case 'MemberExpression':
        return this.#textsOfMember(node, around, depth);
      default:
        return this.#textsOfCall(node, around, depth);
    }
  }

  /** The text for an expression whose value is known only at run time. */
  #placeholder(node: Node): string {
    return `{${this.#nameFor(node) ?? this.#text.slice(node.start, node.end).replaceAll(/\s+/g, ' ')}}`;
  }

  /** The name that says most about a value: `bytes` for `megabytes(bytes)`, `names` for `names.join(', ')`. */
  #nameFor(node: Node | undefined): string | null {
    switch (node?.type) {
      case 'Identifier':
        return node['name'] as string;
      case 'MemberExpression': {
        const inner = node['object'] as Node;
        if (node['computed'] || node['property'].name === 'posix') return this.#nameFor(inner);
        const isPlain = inner.type === 'Identifier' && node['property'].type === 'Identifier';
        return isPlain ? `${inner['name']}.${node['property'].name}` : this.#nameFor(node['property']);
      }
      case 'PrivateIdentifier':
        return node['name'] as string;
      case 'CallExpression': {
        const called = node['callee'] as Node;
        if (called.type === 'MemberExpression' && !GLOBALS.has(called['object'].name)) {
          return this.#nameFor(called['object']) ?? this.#nameFor(called['property']);
        }
        const [first, second] = node['arguments'] as Node[];
        // `assigned(dialect, 'workers', …)`: Python or TOML, then what is assigned.
        if (first?.['name'] === 'dialect' && second?.type === 'Literal') return String(second['value']);
        return this.#nameFor(first) ?? this.#nameFor(called);
      }
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return this.#nameFor(node['expression']);
      case 'LogicalExpression':
      case 'BinaryExpression':
        return this.#nameFor(node['left']);
      case 'ArrayExpression':
        return this.#nameFor(node['elements'][0]);
      case 'AwaitExpression':
      case 'SpreadElement':
        return this.#nameFor(node['argument']);
      default:
        return null;
    }
  }

  /** The texts of a template: one for each branch of the conditionals in it. */
  #template(node: Node, around: Node[], depth: number): string[] {
    const parts = (node['quasis'] as Node[]).map((one) => one['value'].cooked as string);
    const values = (node['expressions'] as Node[]).map((one) => this.#valuesInText(one, around, depth));
    return parts.reduce<string[]>(
      (texts, part, at) => texts.flatMap((text) => (values[at] ?? ['']).map((value) => text + part + value)),
      [''],
    );
  }

  #valuesInText(node: Node, around: Node[], depth: number): string[] {
    const known = node.type === 'Identifier' ? this.#constant(node['name'], around) : null;
    if (known?.type === 'Literal') return [String(known['value'])];
    const value = constantValue(node, (name) => this.#valueOf(name, around));
    if (isPlain(value)) return [String(value)];
    const isText = ['ConditionalExpression', 'TemplateLiteral'].includes((known ?? node).type);
    return isText ? this.textsOf(node, around, depth + 1) : [this.#placeholder(node)];
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

  /** All values of a constant object, for a lookup in it: `HINTS[source]`. */
  #textsOfMember(node: Node, around: Node[], depth: number): string[] {
    const table = node['computed'] ? this.#constant(node['object'].name, around) : null;
    if (table?.type !== 'ObjectExpression') return [this.#placeholder(node)];
    return (table['properties'] as Node[]).flatMap((one) => this.textsOf(one['value'], around, depth + 1));
  }

  /** The value of a constant of this file, or of one that it imports. */
  #valueOf(name: string, around: Node[]): unknown {
    const constant = this.#constant(name, around);
    if (constant) return constantValue(constant, (other) => this.#valueOf(other, around));
    for (const { node } of this.nodes('ImportDeclaration')) {
      const found = (node['specifiers'] as Node[]).find(
        (one) => one['local'].name === name && one['imported'],
      );
      const source = found && this.#imported(node['source'].value);
      if (source) return source.#valueOf(found['imported'].name, []);
    }
    return undefined;
  }

  /** An imported file; null for a package. */
  #imported(specifier: string): SourceText | null {
    const file = path.join(path.dirname(this.file), specifier);
    const place = path.join(this.#root, file);
    const isSource = specifier.startsWith('.') && file.endsWith('.ts') && existsSync(place);
    if (!READ.has(place)) READ.set(place, isSource ? new SourceText(this.#root, file) : null);
    return READ.get(place)!;
  }

  /** The initializer of a `const` with that name. */
  #constant(name: string, around: Node[]): Node | null {
    const visible = this.nodes('VariableDeclarator').filter(
      ({ node, around: outer }) =>
        node['id'].name === name && node['init'] && scopeOf(outer).every((one) => around.includes(one)),
    );
    const innermost = visible.toSorted((a, b) => scopeOf(a.around).length - scopeOf(b.around).length).at(-1);
    return innermost?.node['init'] ?? null;
  }

  /** The arguments that callers in this file pass for a parameter. */
  #givenByCallers(name: string, around: Node[]): { node: Node; around: Node[] }[] {
    for (const made of around.filter(isFunction).toReversed()) {
      const at = (made['params'] as Node[]).findIndex((one) => (one['left'] ?? one)['name'] === name);
      if (at === -1) continue;
      const called = this.#nameOf(made);
      // A function of the module is not called as a method of something else that has its name.
      const nameIn = (callee: Node) =>
        (made.type === 'FunctionDeclaration' ? callee : (callee['property'] ?? callee))['name'];
      return this.nodes('CallExpression')
        .filter(({ node }) => nameIn(node['callee']) === called)
        .flatMap(({ node, around: outer }) => {
          const argument = node['arguments'][at] as Node | undefined;
          return argument ? [{ node: argument, around: outer }] : [];
        });
    }
    return [];
  }

  /** The texts that a function of this file returns, for a call. */
  #textsOfCall(node: Node, around: Node[], depth: number): string[] {
    const called =
      node.type === 'CallExpression' ? (node['callee'].property ?? node['callee'])['name'] : null;
    if (called === TRANSLATE) return [this.#translated(node['arguments'], around)];
    const made = this.#nodes.find((one) => isFunction(one.node) && this.#nameOf(one.node) === called);
    if (!called || !made) return [this.#placeholder(node)];
    if (made.node['body'].type !== 'BlockStatement') {
      return this.textsOf(made.node['body'], [...made.around, made.node], depth + 1);
    }
    const returned = this.nodes('ReturnStatement').filter(
      ({ around: inner }) => inner.findLast(isFunction) === made.node,
    );
    return returned.flatMap(({ node: one, around: inner }) =>
      this.textsOf(one['argument'], inner, depth + 1),
    );
  }

  /** A text of `l10n.t`, with the names of its values. */
  #translated([text, ...values]: Node[], around: Node[]): string {
    return (text!['value'] as string).replaceAll(
      /\{(\d+)\}/g,
      (_, at: string) => this.#valuesInText(values[Number(at)]!, around, 0)[0]!,
    );
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
