/** A file's tree → where names that its imports bind are used: in which functions' bodies, or while the module runs. */
import { freeNames } from '../binder/freeNames.ts';
import { guardsOfIf } from '../binder/guard.ts';
import { textOf, values } from '../binder/readExpression.ts';
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
    if (!statement.type.startsWith('import_')) walk.statement(statement);
  }
  const bodies: SyntaxNode[] = [];
  let { byModule } = walk;
  for (const [body, isUnread] of walk.bodies) {
    if (freeNames(body, text).some(({ path }) => path[0] === name)) bodies.push(body);
    // What is there for tools alone is run by nobody, and they look for the name.
    else if (isUnread) byModule = true;
  }
  return { bodies, byModule };
}

class UseWalk {
  byModule = false;
  /** Outermost functions that mention the name, and whether one does where it is there for tools alone. */
  readonly bodies = new Map<SyntaxNode, boolean>();
  readonly #text: string;
  readonly #name: string;
  readonly #word: RegExp;

  constructor(text: string, name: string, word: RegExp) {
    this.#text = text;
    this.#name = name;
    this.#word = word;
  }

  /** A statement of the module. In `__all__` names are texts. */
  statement(node: SyntaxNode): void {
    const text = textOf(node, this.#text);
    if (text.startsWith('__all__') && this.#word.test(text)) this.byModule = true;
    this.#visit(node, null, false);
  }

  /**
   * @param body - The outermost function in whose body this is.
   * @param unread - Whether this is an annotation, or in a block that type checkers alone read.
   */
  #visit(node: SyntaxNode, body: SyntaxNode | null, unread: boolean): void {
    const text = textOf(node, this.#text);
    if (!this.#word.test(text)) return;
    switch (node.type) {
      case 'identifier':
        if (text === this.#name) this.#use(body, unread);
        return;
      case 'attribute':
        return this.#visitField(node, 'object', body, unread);
      case 'keyword_argument':
        return this.#visitField(node, 'value', body, unread);
      case 'import_statement':
      case 'import_from_statement':
      case 'comment':
        return;
      case 'string':
        // A text as an annotation is a name.
        if (unread) return this.#use(body, unread);
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
    const inner = unread || node.type === 'type' || isForCheckers(node, this.#text);
    for (const child of node.namedChildren) this.#visit(child, body, inner);
  }

  #function(node: SyntaxNode): void {
    const block = node.childForFieldName('body');
    const name = node.childForFieldName('name');
    for (const child of node.namedChildren) {
      if (child.startIndex === name?.startIndex) continue;
      if (child.startIndex === block?.startIndex) this.#visit(child, node, false);
      else if (child.type === 'parameters') for (const one of values(child)) this.#parameter(one);
      else this.#visit(child, null, child.type === 'type');
    }
  }

  /** Its name is its own; its annotation and default are the module's. */
  #parameter(node: SyntaxNode): void {
    this.#visitField(node, 'type', null, true);
    this.#visitField(node, 'value', null, false);
  }

  #visitField(node: SyntaxNode, field: string, body: SyntaxNode | null, unread: boolean): void {
    const child = node.childForFieldName(field);
    if (child) this.#visit(child, body, unread);
  }

  #use(body: SyntaxNode | null, unread: boolean): void {
    if (body === null) this.byModule = true;
    else this.bodies.set(body, unread || (this.bodies.get(body) ?? false));
  }
}

function isForCheckers(node: SyntaxNode, text: string): boolean {
  return node.type === 'if_statement' && guardsOfIf(node, text).first === 'type-checking';
}
