/** One TypeScript file: its nodes, and the constants, functions and callers that its names refer to. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { constantValue } from './constantValue.ts';
import type { Node } from './Node.ts';

/** A node with its ancestors, innermost last. */
export interface Placed {
  node: Node;
  around: Node[];
}

/** By path. Many files import the same few files of constants. */
const READ = new Map<string, SourceFile>();

export class SourceFile {
  readonly file: string;
  readonly text: string;
  readonly #root: string;
  #nodes: Placed[] | null = null;

  private constructor(root: string, file: string) {
    this.file = file;
    this.text = readFileSync(path.join(root, file), 'utf8');
    this.#root = root;
  }

  /** @param root The folder that the file's path is relative to. */
  static read(root: string, file: string): SourceFile {
    const place = path.join(root, file);
    const known = READ.get(place) ?? new SourceFile(root, file);
    READ.set(place, known);
    return known;
  }

  /** The nodes of one type, or all, in source order. Parses the file on the first call. */
  nodes(type?: string): Placed[] {
    this.#nodes ??= [...walk(parseSync(this.file, this.text).program, [])];
    return type === undefined ? this.#nodes : this.#nodes.filter(({ node }) => node.type === type);
  }

  /** The initializer of a `const` with that name. */
  constant(name: string, around: Node[]): Node | null {
    const visible = this.nodes('VariableDeclarator').filter(
      ({ node, around: outer }) =>
        node['id'].name === name && node['init'] && scopeOf(outer).every((one) => around.includes(one)),
    );
    const innermost = visible.toSorted((a, b) => scopeOf(a.around).length - scopeOf(b.around).length).at(-1);
    return innermost?.node['init'] ?? null;
  }

  /** The value of a constant of this file, or of one that it imports. */
  valueOf(name: string, around: Node[]): unknown {
    const constant = this.constant(name, around);
    if (constant) return constantValue(constant, (other) => this.valueOf(other, around));
    for (const { node } of this.nodes('ImportDeclaration')) {
      const found = (node['specifiers'] as Node[]).find(
        (one) => one['local'].name === name && one['imported'],
      );
      const source = found && this.#imported(node['source'].value);
      if (source) return source.valueOf(found['imported'].name, []);
    }
    return undefined;
  }

  functionNamed(name: string): Placed | undefined {
    return this.nodes().find(({ node }) => isFunction(node) && this.#nameOf(node) === name);
  }

  /** The calls of a function of this file in this file. */
  callsOf(made: Node): Placed[] {
    const called = this.#nameOf(made);
    // A function of the module is not called as a method of something else that has its name.
    const nameIn = (callee: Node) =>
      (made.type === 'FunctionDeclaration' ? callee : (callee['property'] ?? callee))['name'];
    return called === null
      ? []
      : this.nodes('CallExpression').filter(({ node }) => nameIn(node['callee']) === called);
  }

  /** An imported file; null for a package. */
  #imported(specifier: string): SourceFile | null {
    const file = path.join(path.dirname(this.file), specifier);
    const isSource = specifier.startsWith('.') && file.endsWith('.ts');
    return isSource && existsSync(path.join(this.#root, file)) ? SourceFile.read(this.#root, file) : null;
  }

  #nameOf(made: Node): string | null {
    const parent = this.nodes()
      .find(({ node }) => node === made)
      ?.around.at(-1);
    return made['id']?.name ?? parent?.['id']?.name ?? parent?.['key']?.name ?? null;
  }
}

function* walk(value: unknown, around: Node[]): Iterable<Placed> {
  if (Array.isArray(value)) {
    for (const one of value) yield* walk(one, around);
  } else if (isNode(value)) {
    yield { node: value, around };
    for (const one of Object.values(value)) yield* walk(one, [...around, value]);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function isFunction(node: Node): boolean {
  return /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(node.type);
}

/** The functions that contain a declaration. */
function scopeOf(around: Node[]): Node[] {
  return around.filter(isFunction);
}
