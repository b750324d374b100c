/**
 * A function's body → the names of its module that running the body reads, by Python's own rules of scope. Nothing
 * is resolved beyond the function: what the module makes of a name is its readers' to know.
 */
import type { Range } from '../../contract/diagnostic.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { guardsOfIf } from './guard.ts';
import { isOfModule, type NameScope, nameScope, walrusScope } from './nameScope.ts';
import { rangeOf } from './range.ts';
import { dottedPath, textOf, values } from './readExpression.ts';

/** One read of a name that the function does not bind itself. */
export interface FreeName {
  /** The name, with the attributes that are read of it: `['settings', 'SIZE']`. */
  path: string[];
  /** The name's own place, without the attributes. */
  range: Range;
  /** Whether a handler of `NameError` around it foresees that the name is not there. */
  foreseen: boolean;
}

interface Read extends FreeName {
  scope: NameScope;
}

/** Generated code may nest thousands of terms; nobody writes so many by hand. */
const MAX_DEPTH = 300;

/** A handler that foresees that a name is not there. */
const FORESEES = /^except\s*:|^except\s[^:]*\bNameError\b/;
const COMPREHENSION = /^(?:(?:list|set|dictionary)_comprehension|generator_expression)$/;
const TARGET_LIST =
  /^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list|list_splat_pattern|parenthesized_expression|as_pattern_target)$/;

/**
 * The free names of a `function_definition`, in order of place. Its decorators, defaults and annotations are run with
 * the module and are none of the body's. Annotations inside the body are left out too, since newer Pythons run them
 * only when asked; so is what stands under `if TYPE_CHECKING` or `if __name__ == "__main__"`.
 */
export function freeNames(definition: SyntaxNode, text: string): FreeName[] {
  const walk = new ScopeWalk(text);
  walk.root(definition);
  const found = walk.reads.filter(({ scope, path }) => isOfModule(scope, path[0]!));
  return found.map(({ path, range, foreseen }) => ({ path, range, foreseen })).sort(byPlace);
}

class ScopeWalk {
  readonly reads: Read[] = [];
  readonly #text: string;
  /** How many blocks around do not count as reading. */
  #unread = 0;
  /** How many blocks around have a handler of `NameError`. */
  #foreseen = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  root(definition: SyntaxNode): void {
    this.#callable(definition, nameScope('function', null));
  }

  #visitAll(nodes: readonly SyntaxNode[], scope: NameScope): void {
    for (const node of nodes) this.#visit(node, scope);
  }

  #visit(node: SyntaxNode, scope: NameScope): void {
    if (this.#depth > MAX_DEPTH) return this.#bindAll(node, scope);
    this.#depth += 1;
    this.#enter(node, scope);
    this.#depth -= 1;
  }

  #enter(node: SyntaxNode, scope: NameScope): void {
    switch (node.type) {
      case 'identifier':
        return this.#read(node, node, scope);
      case 'attribute':
        return this.#attribute(node, scope);
      case 'keyword_argument':
        return this.#visitField(node, 'value', scope);
      case 'comment':
      case 'type':
      case 'type_parameter':
        return;
      case 'ERROR':
        // Broken source may bind what it seems to read.
        return this.#bindAll(node, scope);
      case 'import_statement':
      case 'import_from_statement':
        return this.#import(node, scope);
      case 'assignment':
      case 'augmented_assignment':
        return this.#assignment(node, scope);
      case 'named_expression':
        return this.#walrus(node, scope);
      case 'as_pattern':
        return this.#asPattern(node, scope);
      case 'for_statement':
      case 'for_in_clause':
        this.#target(node.childForFieldName('left'), scope);
        return this.#visitAll(others(node, 'left'), scope);
      case 'delete_statement':
        for (const target of values(node)) this.#target(target, scope);
        return;
      case 'global_statement':
        for (const name of values(node)) scope.global.add(textOf(name, this.#text));
        return;
      case 'nonlocal_statement':
        for (const name of values(node)) scope.outer.add(textOf(name, this.#text));
        return;
      case 'type_alias_statement':
        return this.#bindAll(node.childForFieldName('left') ?? node, scope);
      case 'case_pattern':
        return this.#pattern(node, scope);
      case 'function_definition':
      case 'class_definition':
        return this.#definition(node, scope);
      case 'lambda':
        this.#defaults(node, scope);
        return this.#callable(node, nameScope('function', scope));
      case 'if_statement':
      case 'elif_clause':
        return this.#if(node, scope);
      case 'try_statement':
        return this.#try(node, scope);
      default:
        if (COMPREHENSION.test(node.type)) return this.#comprehension(node, scope);
        return this.#visitAll(node.namedChildren, scope);
    }
  }

  #visitField(node: SyntaxNode, field: string, scope: NameScope): void {
    const child = node.childForFieldName(field);
    if (child) this.#visit(child, scope);
  }

  #push(path: string[], first: SyntaxNode, scope: NameScope): void {
    if (this.#unread > 0) return;
    this.reads.push({ path, range: rangeOf(first), foreseen: this.#foreseen > 0, scope });
  }

  #read(name: SyntaxNode, whole: SyntaxNode, scope: NameScope): void {
    this.#push(dottedPath(whole, this.#text) ?? [textOf(name, this.#text)], name, scope);
  }

  #attribute(node: SyntaxNode, scope: NameScope): void {
    let object: SyntaxNode | null = node;
    while (object?.type === 'attribute') object = object.childForFieldName('object');
    if (object?.type === 'identifier') this.#read(object, node, scope);
    else if (object) this.#visit(object, scope);
  }

  /** Binds what a target names; `a[0]` and `a.b` read `a`. */
  #target(node: SyntaxNode | null, scope: NameScope): void {
    if (!node) return;
    if (node.type === 'identifier') scope.bound.add(textOf(node, this.#text));
    else if (TARGET_LIST.test(node.type)) for (const item of values(node)) this.#target(item, scope);
    else this.#visit(node, scope);
  }

  #bindAll(node: SyntaxNode, scope: NameScope): void {
    for (const name of node.descendantsOfType('identifier')) scope.bound.add(textOf(name, this.#text));
  }

  #assignment(node: SyntaxNode, scope: NameScope): void {
    const left = node.childForFieldName('left');
    // `x += 1` reads x too, which only matters where x is the module's.
    if (node.type === 'augmented_assignment' && left?.type === 'identifier') this.#read(left, left, scope);
    this.#target(left, scope);
    this.#visitField(node, 'right', scope);
  }

  #walrus(node: SyntaxNode, scope: NameScope): void {
    this.#target(node.childForFieldName('name'), walrusScope(scope));
    this.#visitField(node, 'value', scope);
  }

  /** `with open(x) as f`, `except E as e`. */
  #asPattern(node: SyntaxNode, scope: NameScope): void {
    for (const child of values(node)) {
      if (child.type === 'as_pattern_target') this.#target(child, scope);
      else this.#visit(child, scope);
    }
  }

  #import(node: SyntaxNode, scope: NameScope): void {
    const module = node.childForFieldName('module_name');
    for (const item of values(node)) {
      if (item.startIndex === module?.startIndex) continue;
      const alias = item.type === 'aliased_import' ? item.childForFieldName('alias') : null;
      const name = textOf(alias ?? item, this.#text).split('.', 1)[0]!;
      scope.bound.add(name.trim());
    }
  }

  /** A lone name in a pattern captures; one with dots, and that of a class, is read. */
  #pattern(node: SyntaxNode, scope: NameScope): void {
    for (const child of values(node)) {
      if (child.type === 'dotted_name') this.#dottedPattern(child, scope, node.type === 'class_pattern');
      else if (child.type !== 'identifier') {
        if (child.type.endsWith('_pattern')) this.#pattern(child, scope);
      } else if (node.type !== 'keyword_pattern') this.#target(child, scope);
    }
  }

  #dottedPattern(node: SyntaxNode, scope: NameScope, isClass: boolean): void {
    const [first, ...rest] = values(node);
    if (!first) return;
    if (!isClass && rest.length === 0) this.#target(first, scope);
    else
      this.#push(
        [first, ...rest].map((name) => textOf(name, this.#text)),
        first,
        scope,
      );
  }

  #definition(node: SyntaxNode, scope: NameScope): void {
    this.#target(node.childForFieldName('name'), scope);
    this.#defaults(node, scope);
    const typed = nameScope('function', scope);
    const parameters = node.childForFieldName('type_parameters');
    if (parameters) this.#bindAll(parameters, typed);
    this.#visitField(node, 'superclasses', typed);
    const isClass = node.type === 'class_definition';
    this.#callable(node, nameScope(isClass ? 'class' : 'function', typed));
  }

  /** Parameters and body of a function, a lambda or a class. */
  #callable(node: SyntaxNode, scope: NameScope): void {
    for (const parameter of parametersOf(node)) this.#parameter(parameter, scope);
    this.#visitField(node, 'body', scope);
  }

  #parameter(node: SyntaxNode, scope: NameScope): void {
    if (node.type === 'identifier') scope.bound.add(textOf(node, this.#text));
    const name = node.childForFieldName('name') ?? values(node).find(({ type }) => type !== 'type');
    if (name) this.#parameter(name, scope);
  }

  #defaults(node: SyntaxNode, scope: NameScope): void {
    for (const parameter of parametersOf(node)) this.#visitField(parameter, 'value', scope);
  }

  /** The first iterable is evaluated outside. */
  #comprehension(node: SyntaxNode, scope: NameScope): void {
    const inner = nameScope('comprehension', scope);
    let first = true;
    for (const child of values(node)) {
      const right = child.type === 'for_in_clause' && first ? child.childForFieldName('right') : null;
      if (!right) {
        this.#visit(child, inner);
        continue;
      }
      first = false;
      this.#target(child.childForFieldName('left'), inner);
      this.#visit(right, scope);
    }
  }

  #if(node: SyntaxNode, scope: NameScope): void {
    const { first, others } = guardsOfIf(node, this.#text);
    const consequence = node.childForFieldName('consequence')?.startIndex;
    for (const child of values(node)) {
      const guard = child.startIndex === consequence ? first : child.type.endsWith('_clause') ? others : null;
      this.#block(child, scope, guard === 'type-checking' || guard === 'main');
    }
  }

  #try(node: SyntaxNode, scope: NameScope): void {
    const foreseen = values(node).some((clause) => FORESEES.test(textOf(clause, this.#text)));
    for (const child of values(node)) {
      const isForeseen = foreseen && child.type === 'block';
      if (isForeseen) this.#foreseen += 1;
      this.#visit(child, scope);
      if (isForeseen) this.#foreseen -= 1;
    }
  }

  #block(node: SyntaxNode, scope: NameScope, isUnread: boolean): void {
    if (isUnread) this.#unread += 1;
    this.#visit(node, scope);
    if (isUnread) this.#unread -= 1;
  }
}

function parametersOf(node: SyntaxNode): SyntaxNode[] {
  const parameters = node.childForFieldName('parameters');
  return parameters ? values(parameters) : [];
}

function others(node: SyntaxNode, field: string): SyntaxNode[] {
  const left = node.childForFieldName(field);
  return values(node).filter(({ startIndex }) => startIndex !== left?.startIndex);
}

function byPlace({ range: { start: a } }: FreeName, { range: { start: b } }: FreeName): number {
  return a.line - b.line || a.character - b.character;
}
