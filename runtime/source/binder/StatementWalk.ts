/**
 * The statements of a segment → the imports, scopes, definitions and calls in them, from one walk. Expressions are
 * entered only where they can say something of a declaration; no other file is looked at and nothing is resolved here.
 */
import type { Position } from '../../contract/diagnostic.ts';
import { bareTryFault, type SegmentFault } from '../syntax/findFault.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { ClassUses } from './classUses.ts';
import type { Expression } from './Expression.ts';
import type { Binding, Decorator, Definition, Guard, Import, Scope } from './FileFacts.ts';
import type { Fragment, FragmentPlace, FragmentWords } from './Fragment.ts';
import { type BranchGuards, guardOfTry, guardOfWith, guardsOfIf } from './guard.ts';
import type { KnownNames } from './KnownNames.ts';
import { LooseCalls } from './looseCalls.ts';
import { rangeOf } from './range.ts';
import { readDecorator, readDefinition, readParameters } from './readDefinition.ts';
import { readExpression, textOf, values } from './readExpression.ts';
import { readImport } from './readImport.ts';

/** Python itself allows 100 levels of indentation. */
const MAX_DEPTH = 100;

/** Methods that change a list or dict in place, so that its literal no longer tells its value. */
const MUTATING =
  /^(?:append|extend|insert|update|setdefault|pop|popitem|remove|clear|add|discard|sort|reverse)$/;

/** Where a statement stands. */
interface Place {
  scope: number;
  guard: Guard | null;
  depth: number;
  /** Whether the value of an expression is kept or returned, rather than looked at. */
  kept?: boolean;
  isReturned?: boolean;
}

/** One walk over the statements of a segment. */
export class StatementWalk {
  readonly imports: Import[] = [];
  readonly scopes: Scope[] = [];
  readonly definitions: Definition[] = [];
  readonly found: Pick<Fragment, 'looseCalls' | 'looseRoutes' | 'classUses'> = {
    looseCalls: [],
    looseRoutes: [],
    classUses: [],
  };
  /** What the segment adds to the module's own scope. */
  readonly module: Scope = { kind: 'module', name: '', parent: null, bindings: {}, stars: [] };
  /** Names of the module that are changed in place before the segment binds them. */
  readonly changed: string[] = [];
  bareTry: SegmentFault | null = null;
  readonly #file: string;
  readonly #at: FragmentPlace;
  readonly #text: string;
  readonly #looseCalls: LooseCalls;
  readonly #classUses: ClassUses;

  /**
   * @param source - The text that the nodes are of.
   * @param at - Where the segment's scopes and definitions begin in the file.
   */
  constructor(file: string, source: string, at: FragmentPlace, known: KnownNames) {
    this.#file = file;
    this.#text = source;
    this.#at = at;
    this.#looseCalls = new LooseCalls(source, known.called);
    this.#classUses = new ClassUses(source, known.classes);
  }

  /** Names that may stand for the class or an instance from here on. */
  get watched(): Pick<FragmentWords, 'called' | 'classes'> {
    return { called: this.#looseCalls.watched, classes: this.#classUses.watched };
  }

  /** A statement of the module itself. */
  read(statement: SyntaxNode): void {
    this.#statement(statement, { scope: 0, guard: null, depth: 0 });
  }

  /** All statements of a block or error node. */
  #statements(node: SyntaxNode, place: Place): void {
    if (place.depth > MAX_DEPTH) return;
    for (const child of node.namedChildren) this.#statement(child, place);
  }

  #scope(index: number): Scope {
    return index === 0 ? this.module : this.scopes[index - this.#at.scopes]!;
  }

  #statement(node: SyntaxNode, place: Place): void {
    switch (node.type) {
      case 'comment':
        return;
      case 'import_statement':
      case 'import_from_statement':
        return this.#import(node, place);
      case 'decorated_definition':
      case 'function_definition':
      case 'class_definition':
        return this.#definition(node, place);
      case 'expression_statement':
        return this.#expressionStatement(node, place);
      case 'if_statement':
        return this.#compound(node, place, guardsOfIf(node, this.#text));
      case 'try_statement':
        this.bareTry ??= bareTryFault(node);
        return this.#compound(node, place, evenly(guardOfTry(node, this.#text)));
      case 'with_statement':
        return this.#compound(node, place, evenly(guardOfWith(node, this.#text)));
      case 'delete_statement':
        this.#noteDeletion(node, place.scope);
        return this.#compound(node, place, evenly(null));
      case 'global_statement':
        for (const name of values(node)) this.#leave(place.scope, textOf(name, this.#text), 'global');
        return;
      case 'return_statement':
        this.#noteReturn(node, place);
        return this.#compound(node, place, evenly(null));
      case 'for_statement':
        this.#bindAll(node.childForFieldName('left'), place.scope);
        return this.#compound(node, place, evenly(null));
      default:
        return this.#compound(node, place, evenly(null));
    }
  }

  /** Enters the blocks and clauses of a statement. */
  #compound(node: SyntaxNode, place: Place, guards: BranchGuards): void {
    if (place.depth > MAX_DEPTH) return;
    const inner = { ...place, depth: place.depth + 1 };
    let { first, others } = guards;
    const right = node.type === 'for_statement' ? node.childForFieldName('right') : null;
    for (const child of node.namedChildren) {
      if (child.type === 'block' || child.type === 'ERROR') {
        this.#statements(child, { ...inner, guard: place.guard ?? first });
        first = null;
      } else if (child.type.endsWith('_clause')) {
        // A handler of a failed import stands in for it, as does the other branch, so it shares the guard.
        const isShared = child.type.startsWith('except') || node.type === 'if_statement';
        const own = child.type === 'elif_clause' ? guardsOfIf(child, this.#text) : evenly(null);
        this.#compound(child, { ...inner, guard: place.guard ?? (isShared ? others : null) }, own);
        others ??= own.others;
      } else {
        if (child.type === 'case_pattern') this.#bindAll(child, place.scope);
        const kept = node.type === 'return_statement' || child.startIndex === right?.startIndex;
        this.#scan(child, { ...place, kept, isReturned: node.type === 'return_statement' });
      }
    }
  }

  #leave(scope: number, name: string, by: 'global' | 'return'): void {
    if (scope !== 0) (this.#scope(scope).leaves ??= []).push({ name, by });
  }

  /** Of a name that is returned only what may be an endpoint is noted, so that other edits leave the facts equal. */
  #noteReturn(node: SyntaxNode, { scope }: Place): void {
    const [returned] = values(node);
    if (returned?.type !== 'identifier') return;
    const name = textOf(returned, this.#text);
    const { bindings } = this.#scope(scope);
    const bound = Object.hasOwn(bindings, name) ? bindings[name]! : [];
    const mayDeclare = bound.some((binding) => {
      if (binding.kind === 'value')
        return (
          binding.expression.kind === 'call' && this.#looseCalls.mayDeclare(binding.expression.call.callee)
        );
      const definition =
        binding.kind === 'definition'
          ? this.definitions[binding.definition - this.#at.definitions]
          : undefined;
      return definition?.decorators.some(({ path }) => path !== null && this.#looseCalls.mayDeclare(path));
    });
    if (mayDeclare) this.#leave(scope, name, 'return');
  }

  #import(node: SyntaxNode, { scope, guard }: Place): void {
    const { imports, bindings, star } = readImport(node, this.#text, this.#file);
    for (const item of imports) this.imports.push({ ...item, scope, guard });
    for (const { name, binding } of bindings) {
      this.#bind(scope, name, binding);
      if (binding.kind !== 'member') continue;
      this.#looseCalls.watch(name, binding);
      this.#classUses.watch(name, binding);
    }
    if (star) this.#scope(scope).stars.push(star);
  }

  #definition(node: SyntaxNode, place: Place): void {
    const decorated = node.type === 'decorated_definition';
    const inner = decorated ? node.childForFieldName('definition') : node;
    const decorators: Decorator[] = [];
    for (const child of decorated ? node.namedChildren : []) {
      if (child.type !== 'decorator') continue;
      const decorator = readDecorator(child, this.#text);
      decorators.push(decorator);
      this.#scan(child, place, ...(decorator.call ? [decorator.call.range.start] : []));
    }
    const read = inner && readDefinition(inner, this.#text);
    if (!inner || !read) return;
    const body = this.#define({ ...read, decorators }, place);
    const parameters = inner.childForFieldName('parameters');
    if (parameters) this.#scan(parameters, place);
    const block = inner.childForFieldName('body');
    if (block) this.#statements(block, { scope: body, guard: place.guard, depth: place.depth + 1 });
  }

  /** Adds a definition, and gives the scope of its body. */
  #define(read: Omit<Definition, 'scope' | 'body' | 'guard'>, { scope, guard }: Place): number {
    const parent = this.#scope(scope);
    const definition = this.#at.definitions + this.definitions.length;
    const body = this.#at.scopes + this.scopes.length;
    const name = parent.name === '' ? read.name : `${parent.name}.${read.name}`;
    this.scopes.push({ kind: read.kind, name, parent: scope, bindings: {}, stars: [] });
    this.definitions.push({ ...read, scope, body, guard });
    this.#bind(scope, read.name, { kind: 'definition', definition });
    for (const parameter of read.parameters) this.#bind(body, parameter.name, { kind: 'opaque' });
    return body;
  }

  #expressionStatement(node: SyntaxNode, place: Place): void {
    const expression = values(node)[0];
    if (expression?.type === 'assignment') {
      this.#assignment(expression, place);
      return;
    }
    if (expression?.type === 'augmented_assignment')
      this.#bindAll(expression.childForFieldName('left'), place.scope);
    if (expression?.type === 'call') this.#noticeMutation(expression, place.scope);
    this.#scan(node, place);
  }

  /** `a = b = value`, `a: T = value`, `a, b = x, y`. */
  #assignment(node: SyntaxNode, place: Place): void {
    const targets: SyntaxNode[] = [];
    let current: SyntaxNode | null = node;
    while (current?.type === 'assignment') {
      const left = current.childForFieldName('left');
      if (left) targets.push(left);
      current = current.childForFieldName('right');
    }
    const isMethod = this.#scope(place.scope).kind === 'class' && this.#classAssignment(node, current, place);
    if (!current || isMethod) return;
    const expression = readExpression(current, this.#text);
    const named = targets.flatMap((target) => this.#bindTarget(target, expression, place));
    this.#scan(current, { ...place, kept: true }, ...named);
  }

  /** Notes a field of a dataclass, and a lambda, which is a method by the name that it gets. */
  #classAssignment(node: SyntaxNode, value: SyntaxNode | null, place: Place): boolean {
    const left = node.childForFieldName('left');
    const type = node.childForFieldName('type');
    if (left?.type !== 'identifier') return false;
    const name = textOf(left, this.#text);
    if (type && this.#isDataclass(place.scope))
      (this.#scope(place.scope).fields ??= []).push({ name, annotation: textOf(type, this.#text) });
    if (value?.type !== 'lambda') return false;
    const parameters = value.childForFieldName('parameters');
    this.#define(
      {
        kind: 'function',
        name,
        nameRange: rangeOf(left),
        line: left.startPosition.row + 1,
        async: false,
        description: null,
        parameters: parameters ? readParameters(parameters, this.#text) : [],
        bases: [],
        decorators: [],
      },
      place,
    );
    this.#scan(value, { ...place, kept: true });
    return true;
  }

  #isDataclass(scope: number): boolean {
    const owner = this.definitions.findLast(({ body }) => body === scope);
    return owner?.decorators.some(({ path }) => path?.at(-1) === 'dataclass') ?? false;
  }

  #noteDeletion(node: SyntaxNode, scope: number): void {
    if (this.#scope(scope).kind !== 'class') return;
    for (const target of values(node).flatMap((child) =>
      child.type === 'expression_list' ? values(child) : child,
    ))
      if (target.type === 'identifier') this.#bind(scope, textOf(target, this.#text), { kind: 'deleted' });
  }

  /** The places of values that are reachable by a name afterwards. */
  #bindTarget(target: SyntaxNode, expression: Expression, { scope, guard }: Place): Position[] {
    if (target.type === 'identifier') {
      const name = textOf(target, this.#text);
      this.#bind(scope, name, this.#valueOf(expression, scope, guard));
      if (expression.kind === 'call') this.#looseCalls.watchInstance(name, expression.call);
      return expression.kind === 'call' || expression.kind === 'reference' ? [expression.range.start] : [];
    }
    const items = target.type.endsWith('_pattern') || target.type === 'pattern_list' ? values(target) : [];
    const matched =
      expression.kind === 'sequence' &&
      expression.items.length === items.length &&
      items.every((item) => item.type === 'identifier') &&
      expression.items.every((item) => item.kind !== 'spread');
    if (!matched) {
      this.#bindAll(target, scope);
      return [];
    }
    for (const [index, item] of items.entries()) {
      const part = expression.items[index]!;
      this.#bind(scope, textOf(item, this.#text), this.#valueOf(part, scope, guard));
    }
    return expression.items.map((item) => item.range.start);
  }

  /** What a function computes for itself is nothing that a declaration could take: typing in it leaves facts equal. */
  #valueOf(expression: Expression, scope: number, guard: Guard | null): Binding {
    const isLocal = this.#scope(scope).kind === 'function';
    const isFollowed = expression.kind === 'call' || expression.kind === 'reference';
    return isLocal && !isFollowed ? { kind: 'opaque' } : { kind: 'value', expression, guard };
  }

  #noticeMutation(call: SyntaxNode, scope: number): void {
    const callee = call.childForFieldName('function');
    const method = callee?.type === 'attribute' ? callee.childForFieldName('attribute') : null;
    if (method && MUTATING.test(textOf(method, this.#text))) {
      this.#bindAll(callee!.childForFieldName('object'), scope);
    }
  }

  /** The name of a target can no longer be told; of `a[0] = …` and `a.b = …` only where this scope binds `a`. */
  #bindAll(target: SyntaxNode | null, scope: number): void {
    if (!target) return;
    const direct = target.type === 'identifier';
    const names = direct ? [target] : target.descendantsOfType('identifier');
    const changes = target.type === 'subscript' || target.type === 'attribute';
    for (const node of names) {
      const name = textOf(node, this.#text);
      if (!changes || Object.hasOwn(this.#scope(scope).bindings, name)) {
        this.#bind(scope, name, { kind: 'opaque' });
      } else if (scope === 0) {
        this.changed.push(name);
      }
      if (changes) return;
    }
  }

  #bind(scope: number, name: string, binding: Binding): void {
    const { bindings } = this.#scope(scope);
    const known = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
    if (known) known.push(binding);
    else Object.defineProperty(bindings, name, { value: [binding], enumerable: true, configurable: true });
  }

  /** `(name := value)`; gives the places of values that are reachable by the name afterwards. */
  #bindNamed(node: SyntaxNode, place: Place): Position[] {
    if (!textOf(node, this.#text).includes(':=')) return [];
    return node.descendantsOfType('named_expression').flatMap((named) => {
      const name = named.childForFieldName('name');
      const value = named.childForFieldName('value');
      const expression = value && readExpression(value, this.#text);
      if (expression?.kind === 'call' && name) return this.#bindTarget(name, expression, place);
      this.#bindAll(name, place.scope);
      return [];
    });
  }

  #isInLambda(node: SyntaxNode, { line, character }: Position): boolean {
    if (!textOf(node, this.#text).includes('lambda')) return false;
    return node.descendantsOfType('lambda').some(({ startPosition: from, endPosition: to }) => {
      const isAfter = line > from.row || (line === from.row && character > from.column);
      return isAfter && (line < to.row || (line === to.row && character < to.column));
    });
  }

  /** A lambda that declares something has a scope, as a function has. */
  #lambdaScope(parent: number): number {
    const { name } = this.#scope(parent);
    const inner = name === '' ? '<lambda>' : `${name}.<lambda>`;
    return (
      this.#at.scopes +
      this.scopes.push({ kind: 'function', name: inner, parent, bindings: {}, stars: [] }) -
      1
    );
  }

  /** Notes calls and uses inside an expression, but for the ones that begin at `known`. */
  #scan(node: SyntaxNode, { scope, guard, kept = false, isReturned }: Place, ...known: Position[]): void {
    const isKnown = (found: SyntaxNode) => known.some((start) => isAt(found, start));
    known.push(...this.#bindNamed(node, { scope, guard, depth: 0 }));
    for (const use of this.#classUses.in(node, kept, isKnown))
      this.found.classUses.push({ ...use, scope, guard });
    for (const call of this.#looseCalls.in(node, known)) {
      const isWhole = isReturned && isAt(node, call.range.start);
      const place = this.#isInLambda(node, call.range.start) ? this.#lambdaScope(scope) : scope;
      this.found.looseCalls.push({ call, scope: place, guard, ...(isWhole && { isReturned }) });
    }
    // A route that is assigned is as lost as one that is called.
    const routed = node.type === 'decorator' ? known : [];
    for (const call of this.#looseCalls.routesIn(node, routed)) this.found.looseRoutes.push({ call, scope });
    if (!textOf(node, this.#text).includes(' as ')) return;
    for (const target of node.descendantsOfType('as_pattern_target')) this.#bindAll(target, scope);
  }
}

function isAt({ startPosition: { row, column } }: SyntaxNode, { line, character }: Position): boolean {
  return line === row && character === column;
}

/** One guard over the first block, and over the clauses that stand in for it. */
function evenly(guard: Guard | null): BranchGuards {
  return { first: guard, others: guard };
}
