/**
 * One file's tree and a name → every place where the name is written, with the scope that it is looked up in. Only
 * what holds the name is entered, so the work grows with the uses, not with the file.
 */
import type { Range } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { rangeOf } from '../binder/range.ts';
import { dottedPath, textOf, values } from '../binder/readExpression.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { exportedTexts } from './exportedTexts.ts';
import { importedNames } from './importedNames.ts';
import { patternNames } from './patternNames.ts';
import { type UseScope, useScope, walrusScope } from './UseScope.ts';
import { WordPlaces } from './WordPlaces.ts';

/** One place where a name is written. */
export interface NameUse {
  range: Range;
  /**
   * `imported`: of `from m import name`, which binds it too. `imported-as`: of `from m import name as other`.
   * `exported`: a text in `__all__`. `attribute`: after a dot.
   */
  role: 'read' | 'bound' | 'defined' | 'imported' | 'imported-as' | 'exported' | 'attribute';
  scope: UseScope;
  /** `attribute`: the names before the dot, null when they are no dotted name. `imported-as`: the other name. */
  path: string[] | null;
}

const COMPREHENSION = /^(?:(?:list|set|dictionary)_comprehension|generator_expression)$/;
const TARGET_LIST =
  /^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list|list_splat_pattern|parenthesized_expression|as_pattern_target)$/;

/** Every use of a name, in order of place. */
export function nameUses(root: SyntaxNode, text: string, facts: FileFacts, name: string): NameUse[] {
  const walk = new UseWalk(text, facts, name);
  if (walk.isEmpty) return [];
  walk.module(root);
  return walk.uses.sort(({ range: { start: a } }, { range: { start: b } }) => {
    return a.line - b.line || a.character - b.character;
  });
}

class UseWalk {
  readonly uses: NameUse[] = [];
  readonly #text: string;
  readonly #name: string;
  readonly #places: WordPlaces;
  /** Start of a definition's name → the facts' scope of its body. */
  readonly #bodies: ReadonlyMap<string, number>;

  constructor(text: string, facts: FileFacts, name: string) {
    this.#text = text;
    this.#name = name;
    this.#places = new WordPlaces(text, name);
    this.#bodies = new Map(
      facts.definitions.map(({ nameRange: { start }, body }) => [`${start.line}:${start.character}`, body]),
    );
  }

  get isEmpty(): boolean {
    return this.#places.isEmpty;
  }

  module(root: SyntaxNode): void {
    this.#visit(root, useScope({ kind: 'module', parent: null, start: 0, facts: 0 }));
  }

  #isName(node: SyntaxNode | null | undefined): node is SyntaxNode & { type: 'identifier' } {
    return node?.type === 'identifier' && textOf(node, this.#text) === this.#name;
  }

  #use(node: SyntaxNode, role: NameUse['role'], scope: UseScope, path: string[] | null = null): void {
    this.uses.push({ range: rangeOf(node), role, scope, path });
  }

  #bind(node: SyntaxNode, role: NameUse['role'], scope: UseScope): void {
    scope.binds = true;
    this.#use(node, role, scope);
  }

  #visitAll(nodes: readonly SyntaxNode[], scope: UseScope): void {
    for (const node of nodes) this.#visit(node, scope);
  }

  #visit(node: SyntaxNode | null, scope: UseScope): void {
    if (!node || !this.#places.isIn(node)) return;
    switch (node.type) {
      case 'identifier':
        if (this.#isName(node)) this.#use(node, 'read', scope);
        return;
      case 'attribute':
        return this.#attribute(node, scope);
      case 'keyword_argument':
        return this.#visit(node.childForFieldName('value'), scope);
      case 'comment':
      case 'future_import_statement':
        return;
      case 'import_statement':
      case 'import_from_statement':
        return this.#import(node, scope);
      case 'assignment':
      case 'augmented_assignment':
        return this.#assignment(node, scope);
      case 'call':
        this.#exports(node, scope);
        return this.#visitAll(node.namedChildren, scope);
      case 'named_expression':
        this.#target(node.childForFieldName('name'), walrusScope(scope));
        return this.#visit(node.childForFieldName('value'), scope);
      case 'as_pattern':
        for (const child of values(node)) {
          if (child.type === 'as_pattern_target') this.#target(child, scope);
          else this.#visit(child, scope);
        }
        return;
      case 'for_statement':
      case 'for_in_clause':
        return this.#loop(node, scope);
      case 'delete_statement':
        for (const target of values(node)) this.#target(target, scope);
        return;
      case 'global_statement':
      case 'nonlocal_statement':
        return this.#declaration(node, scope);
      case 'type_alias_statement':
        this.#targets(node.childForFieldName('left'), scope);
        return this.#visit(node.childForFieldName('right'), scope);
      case 'case_pattern':
        return this.#pattern(node, scope);
      case 'function_definition':
      case 'class_definition':
        return this.#definition(node, scope);
      case 'lambda':
        return this.#lambda(node, scope);
      default:
        if (COMPREHENSION.test(node.type)) return this.#comprehension(node, scope);
        return this.#visitAll(node.namedChildren, scope);
    }
  }

  #attribute(node: SyntaxNode, scope: UseScope): void {
    const object = node.childForFieldName('object');
    const attribute = node.childForFieldName('attribute');
    this.#visit(object, scope);
    if (!this.#isName(attribute)) return;
    this.#use(attribute, 'attribute', scope, object && dottedPath(object, this.#text));
  }

  #import(node: SyntaxNode, scope: UseScope): void {
    for (const { written, alias, bound } of importedNames(node)) {
      if (alias && this.#isName(written)) {
        this.#use(written, 'imported-as', scope, [textOf(alias, this.#text)]);
      }
      if (this.#isName(bound)) this.#bind(bound, bound === written ? 'imported' : 'bound', scope);
    }
  }

  #assignment(node: SyntaxNode, scope: UseScope): void {
    this.#target(node.childForFieldName('left'), scope);
    this.#visit(node.childForFieldName('type'), scope);
    this.#visit(node.childForFieldName('right'), scope);
    this.#exports(node, scope);
  }

  #exports(node: SyntaxNode, scope: UseScope): void {
    if (scope.kind !== 'module') return;
    for (const literal of exportedTexts(node, this.#text)) {
      if (textOf(literal, this.#text) === this.#name) this.#use(literal, 'exported', scope);
    }
  }

  /** Binds what a target names; `a[0]` and `a.b` read `a`. */
  #target(node: SyntaxNode | null, scope: UseScope): void {
    if (!node || !this.#places.isIn(node)) return;
    if (this.#isName(node)) this.#bind(node, 'bound', scope);
    else if (TARGET_LIST.test(node.type)) for (const item of values(node)) this.#target(item, scope);
    else this.#visit(node, scope);
  }

  #targets(node: SyntaxNode | null, scope: UseScope): void {
    for (const name of node?.descendantsOfType('identifier') ?? []) this.#target(name, scope);
  }

  #loop(node: SyntaxNode, scope: UseScope): void {
    const left = node.childForFieldName('left');
    this.#target(left, scope);
    this.#visitAll(
      node.namedChildren.filter(({ startIndex }) => startIndex !== left?.startIndex),
      scope,
    );
  }

  #declaration(node: SyntaxNode, scope: UseScope): void {
    for (const name of values(node)) {
      if (!this.#isName(name)) continue;
      scope.declares = node.type === 'global_statement' ? 'global' : 'nonlocal';
      this.#use(name, 'read', scope);
    }
  }

  #pattern(pattern: SyntaxNode, scope: UseScope): void {
    for (const { node, role, before } of patternNames(pattern, (child) => this.#places.isIn(child))) {
      if (!this.#isName(node)) continue;
      if (role === 'captured') this.#bind(node, 'bound', scope);
      else if (before.length === 0) this.#use(node, 'read', scope);
      else {
        const path = before.map((one) => textOf(one, this.#text));
        this.#use(node, 'attribute', scope, path);
      }
    }
  }

  /** Decorators, defaults, annotations and bases are evaluated outside of the body. */
  #definition(node: SyntaxNode, scope: UseScope): void {
    const name = node.childForFieldName('name');
    if (this.#isName(name)) this.#bind(name, 'defined', scope);
    const typed = node.childForFieldName('type_parameters');
    const outer = typed ? this.#apart(node, scope, typed) : scope;
    this.#targets(typed, outer);
    this.#visit(node.childForFieldName('superclasses'), outer);
    this.#visit(node.childForFieldName('return_type'), outer);
    const { row, column } = name?.startPosition ?? { row: -1, column: -1 };
    const facts = this.#bodies.get(`${row}:${column}`);
    const body = useScope({
      kind: node.type === 'class_definition' ? 'class' : 'function',
      parent: outer,
      start: node.startIndex,
      // Of broken source the facts may know nothing: then no name is looked up from here.
      facts: facts ?? -1,
    });
    this.#parameters(node, { inside: body, outside: outer });
    this.#visit(node.childForFieldName('body'), body);
  }

  #lambda(node: SyntaxNode, scope: UseScope): void {
    const inside = this.#apart(node, scope, node.childForFieldName('parameters'));
    this.#parameters(node, { inside, outside: scope });
    this.#visit(node.childForFieldName('body'), inside);
  }

  #parameters(node: SyntaxNode, scopes: { inside: UseScope; outside: UseScope }): void {
    const list = node.childForFieldName('parameters');
    for (const parameter of list ? values(list) : []) this.#parameter(parameter, scopes);
  }

  #parameter(node: SyntaxNode, scopes: { inside: UseScope; outside: UseScope }): void {
    if (!this.#places.isIn(node)) return;
    if (this.#isName(node)) return this.#bind(node, 'bound', scopes.inside);
    this.#visit(node.childForFieldName('value'), scopes.outside);
    this.#visit(node.childForFieldName('type'), scopes.outside);
    const name = node.childForFieldName('name') ?? values(node).find(({ type }) => type !== 'type');
    if (name) this.#parameter(name, scopes);
  }

  /** The first iterable is evaluated outside. */
  #comprehension(node: SyntaxNode, scope: UseScope): void {
    const clauses = values(node).filter(({ type }) => type === 'for_in_clause');
    const inside = this.#apart(node, scope, ...clauses.map((clause) => clause.childForFieldName('left')));
    inside.kind = 'comprehension';
    const first = clauses[0];
    for (const child of values(node)) {
      if (child.startIndex !== first?.startIndex) {
        this.#visit(child, inside);
        continue;
      }
      this.#target(child.childForFieldName('left'), inside);
      this.#visit(child.childForFieldName('right'), scope);
    }
  }

  /** A scope that the facts do not know, with the names that its targets bind. */
  #apart(node: SyntaxNode, parent: UseScope, ...targets: (SyntaxNode | null)[]): UseScope {
    const names = targets.flatMap((target) => target?.descendantsOfType('identifier') ?? []);
    const hidden = new Set(names.map((name) => textOf(name, this.#text)));
    return useScope({ kind: 'function', parent, start: node.startIndex, facts: parent.facts, hidden });
  }
}
