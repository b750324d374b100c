/** A file's tree → where names that its imports bind are used: in which functions' bodies, or while the module runs. */
import { freeNames } from '../facts/freeNames.ts';
import { textOf, values } from '../facts/readExpression.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

export interface NameUses {
  /** Outermost functions, methods among them, whose bodies read the name of the module. */
  bodies: SyntaxNode[];
  /** Whether decorators, defaults, annotations or other code of the module itself need it. */
  byModule: boolean;
}

/** Uses of one name outside of the module's own import statements. */
export function usesOf(root: SyntaxNode, text: string, name: string): NameUses {
  const word = new RegExp(String.raw`(?<![\w.])${name}(?!\w)`, 'u');
  const walk = new UseWalk(text, name, word);
  for (const statement of values(root)) {
    if (!statement.type.startsWith('import_')) walk.visit(statement, null, false);
  }
  const bodies: SyntaxNode[] = [];
  let { byModule } = walk;
  for (const [body, isInType] of walk.bodies) {
    if (freeNames(body, text).some(({ path }) => path[0] === name)) bodies.push(body);
    // Annotations inside of a body are run by nobody, and tools that read them look for the name.
    else if (isInType) byModule = true;
  }
  return { bodies, byModule };
}

class UseWalk {
  byModule = false;
  /** Outermost functions that mention the name, and whether an annotation does. */
  readonly bodies = new Map<SyntaxNode, boolean>();
  readonly #text: string;
  readonly #name: string;
  readonly #word: RegExp;

  constructor(text: string, name: string, word: RegExp) {
    this.#text = text;
    this.#name = name;
    this.#word = word;
  }

  /** `body` is the outermost function around whose body this is in. */
  visit(node: SyntaxNode, body: SyntaxNode | null, inType: boolean): void {
    const text = textOf(node, this.#text);
    if (!this.#word.test(text)) return;
    switch (node.type) {
      case 'identifier':
        if (text === this.#name) this.#use(body, inType);
        return;
      case 'attribute':
        return this.#visitField(node, 'object', body, inType);
      case 'keyword_argument':
        return this.#visitField(node, 'value', body, inType);
      case 'import_statement':
      case 'import_from_statement':
      case 'comment':
        return;
      case 'string':
        // A text as an annotation is a name, and so is one in `__all__`.
        if (inType || (body === null && text.slice(1, -1) === this.#name)) return this.#use(body, inType);
        break;
      case 'global_statement':
        this.byModule = true;
        return;
      case 'function_definition':
        if (body === null) return this.#function(node);
        break;
      default:
        break;
    }
    for (const child of node.namedChildren) this.visit(child, body, inType || node.type === 'type');
  }

  #function(node: SyntaxNode): void {
    const block = node.childForFieldName('body');
    const name = node.childForFieldName('name');
    for (const child of node.namedChildren) {
      if (child.startIndex === name?.startIndex) continue;
      if (child.startIndex === block?.startIndex) this.visit(child, node, false);
      else if (child.type === 'parameters') for (const one of values(child)) this.#parameter(one);
      else this.visit(child, null, child.type === 'type');
    }
  }

  /** Its name is its own; its annotation and default are the module's. */
  #parameter(node: SyntaxNode): void {
    this.#visitField(node, 'type', null, true);
    this.#visitField(node, 'value', null, false);
  }

  #visitField(node: SyntaxNode, field: string, body: SyntaxNode | null, inType: boolean): void {
    const child = node.childForFieldName(field);
    if (child) this.visit(child, body, inType);
  }

  #use(body: SyntaxNode | null, inType: boolean): void {
    if (body === null) this.byModule = true;
    else this.bodies.set(body, inType || (this.bodies.get(body) ?? false));
  }
}
