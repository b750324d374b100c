/**
 * Statements → their scopes and the uses of names, by Python's scoping rules. No other code knows these
 * rules. The scope that owns a name can be found with `ownerOf` only after the walk, because a scope may bind
 * a name after the name is read.
 */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { isChanging } from './changedValues.ts';
import { exportedTexts } from './exportedTexts.ts';
import { deeper, PLAIN, type Place, partsOf, within } from './flow.ts';
import { handsOn } from './handedOn.ts';
import { importedNames } from './importedNames.ts';
import { type LexicalScope, newScope, walrusScope } from './LexicalScope.ts';
import type { DefinitionSite, ImportSite, NameUse, Role } from './NameUse.ts';
import { patternNames } from './patternNames.ts';
import { dottedPath, textOf, values } from './readExpression.ts';
import { TargetBinder } from './TargetBinder.ts';
import { type RecordOptions, UseRecorder } from './UseRecorder.ts';

/** Generated code may nest thousands of terms; handwritten code does not. */
const MAX_DEPTH = 300;

/** Nodes that may bind names, even if they contain none of the wanted words. */
const STATEMENT = /(?:_statement|_definition|_clause|_pattern|assignment|with_item|block|ERROR)$/;
const COMPREHENSION = /^(?:(?:list|set|dictionary)_comprehension|generator_expression)$/;

interface WalkOptions extends RecordOptions {
  /** Whether the body of a function is walked. */
  entersBody?: (definition: SyntaxNode) => boolean;
  /** The scope of the statements; a new one unless other statements share it. */
  module?: LexicalScope;
}

/** One walk over the statements of a module, or over one function. */
export class NameWalk {
  readonly module: LexicalScope;
  readonly #text: string;
  readonly #found: UseRecorder;
  readonly #targets: TargetBinder;
  readonly #entersBody: (definition: SyntaxNode) => boolean;
  #depth = 0;

  constructor(
    text: string,
    { entersBody = () => true, module = newScope('module', null, null), ...options }: WalkOptions = {},
  ) {
    this.module = module;
    this.#text = text;
    this.#found = new UseRecorder(text, options);
    this.#targets = new TargetBinder(this.#found, (node, place) => this.#visit(node, place));
    this.#entersBody = entersBody;
  }

  get uses(): readonly NameUse[] {
    return this.#found.uses;
  }

  get definitions(): readonly DefinitionSite[] {
    return this.#found.definitions;
  }

  get imports(): readonly ImportSite[] {
    return this.#found.imports;
  }

  /** Walks statements of the module. */
  statements(nodes: readonly SyntaxNode[]): void {
    for (const node of nodes) this.#visit(node, { scope: this.module, flow: PLAIN });
  }

  #visitAll(nodes: readonly SyntaxNode[], place: Place): void {
    for (const node of nodes) this.#visit(node, place);
  }

  #field(node: SyntaxNode, name: string, place: Place, handedOn = false): void {
    this.#visit(node.childForFieldName(name), place, handedOn);
  }

  #visit(node: SyntaxNode | null, place: Place, handedOn = false): void {
    if (!node || this.#depth > MAX_DEPTH) return;
    const isStatement = this.#found.bindsAll && STATEMENT.test(node.type);
    if (!isStatement && !this.#found.mayContain(node)) return;
    this.#depth += 1;
    this.#enter(node, place, handedOn);
    this.#depth -= 1;
  }

  #enter(node: SyntaxNode, place: Place, handedOn: boolean): void {
    switch (node.type) {
      case 'identifier':
        return this.#read(node, place, handedOn);
      case 'attribute':
        return this.#attribute(node, place, handedOn);
      case 'call':
        return this.#call(node, place);
      case 'keyword_argument':
        return this.#field(node, 'value', place, handedOn);
      case 'comment':
      case 'future_import_statement':
        return;
      case 'type':
        return this.#visitAll(node.namedChildren, within(place, { annotation: true }));
      case 'import_statement':
      case 'import_from_statement':
        return this.#import(node, place);
      case 'expression_statement':
        return this.#expressionStatement(node, place);
      case 'assignment':
        return this.#assignment(node, place);
      case 'augmented_assignment':
        return this.#augmented(node, place);
      case 'named_expression':
        return this.#walrus(node, place);
      case 'as_pattern':
        return this.#asPattern(node, place, 'bound');
      case 'for_statement':
      case 'for_in_clause':
        return this.#loop(node, place);
      case 'return_statement':
        return this.#return(node, place);
      case 'delete_statement':
        for (const target of values(node)) this.#targets.bind(target, place, 'deleted');
        return;
      case 'global_statement':
      case 'nonlocal_statement':
        return this.#declare(node, place);
      case 'type_alias_statement':
        for (const name of namesIn(node.childForFieldName('left'))) this.#found.bind(name, 'bound', place);
        return this.#field(node, 'right', place);
      case 'case_pattern':
        return this.#pattern(node, place);
      case 'decorated_definition':
        return this.#decorated(node, place);
      case 'function_definition':
      case 'class_definition':
        return this.#definition(node, place, []);
      case 'lambda':
        return this.#lambda(node, place);
      case 'if_statement':
      case 'try_statement':
      case 'match_statement':
      case 'with_statement':
        for (const part of partsOf(node, place, this.#text)) this.#visit(part.node, part.place);
        return;
      case 'except_clause':
      case 'except_group_clause':
        return this.#handler(node, place);
      case 'ERROR':
        return this.#visitAll(node.namedChildren, within(place, { broken: true }));
      default:
        if (COMPREHENSION.test(node.type)) return this.#comprehension(node, place);
        return this.#parts(node, place, handedOn);
    }
  }

  /** Walks the parts of an expression or statement that needs no special treatment. */
  #parts(node: SyntaxNode, place: Place, handedOn: boolean): void {
    const parts = values(node);
    const condition = node.type === 'conditional_expression' ? parts[1] : undefined;
    const key = node.type === 'pair' ? node.childForFieldName('key') : null;
    const passes = handsOn(node, handedOn, this.#text);
    for (const part of parts) {
      if (part.type === 'block') this.#visit(part, deeper(place));
      else this.#visit(part, place, passes && part !== condition && part.startIndex !== key?.startIndex);
    }
  }

  #read(
    node: SyntaxNode,
    place: Place,
    handedOn: boolean,
    whole = node,
    call: SyntaxNode | null = null,
  ): void {
    const path = dottedPath(whole, this.#text);
    const heldBy = this.#found.heldBy(call ?? whole);
    this.#found.use(node, 'read', place, { path, whole, call, heldBy, handedOn });
  }

  #attribute(node: SyntaxNode, place: Place, handedOn: boolean, call: SyntaxNode | null = null): void {
    let object: SyntaxNode | null = node;
    for (; object?.type === 'attribute'; object = withoutParentheses(object.childForFieldName('object'))) {
      const name = object.childForFieldName('attribute');
      if (this.#found.bindsAll || !name || !this.#found.mayContain(name)) continue;
      const before = object.childForFieldName('object');
      this.#found.use(name, 'attribute', place, { path: before && dottedPath(before, this.#text) });
    }
    if (object?.type === 'identifier') this.#read(object, place, handedOn, node, call);
    else this.#visit(object, place, call !== null);
  }

  #call(node: SyntaxNode, place: Place): void {
    const callee = withoutParentheses(node.childForFieldName('function'));
    this.#exports(node, place);
    if (callee && this.#found.mayContain(callee)) {
      if (callee.type === 'identifier') this.#read(callee, place, false, callee, node);
      else if (callee.type === 'attribute') this.#attribute(callee, place, false, node);
      // The callee in `(a or b)(…)` cannot be followed.
      else this.#visit(callee, place, true);
    }
    this.#field(node, 'arguments', place, handsOn(node, false, this.#text));
  }

  #exports(node: SyntaxNode, place: Place): void {
    if (place.scope.kind !== 'module') return;
    for (const literal of exportedTexts(node, this.#text)) this.#found.use(literal, 'exported', place);
  }

  /** `except E as e` deletes e at the end of the clause. */
  #handler(node: SyntaxNode, place: Place): void {
    for (const child of values(node)) {
      if (child.type === 'as_pattern') this.#asPattern(child, place, 'handler');
      else this.#visit(child, child.type === 'block' ? deeper(place) : place);
    }
  }

  #import(node: SyntaxNode, place: Place): void {
    const site: ImportSite = { kind: 'import', node, ...place };
    this.#found.imports.push(site);
    for (const { written, alias, bound } of importedNames(node)) {
      if (alias && written && !this.#found.bindsAll)
        this.#found.use(written, 'imported-as', place, { path: [textOf(alias, this.#text)] });
      if (bound) this.#found.bind(bound, bound === written ? 'imported' : 'bound', place, { site });
    }
  }

  #expressionStatement(node: SyntaxNode, place: Place): void {
    const call = values(node)[0];
    const callee = call?.type === 'call' ? call.childForFieldName('function') : null;
    const method = callee?.type === 'attribute' ? callee.childForFieldName('attribute') : null;
    if (method && isChanging(textOf(method, this.#text))) {
      this.#targets.mutate(callee!.childForFieldName('object'), place);
    }
    this.#visitAll(values(node), place);
  }

  #return(node: SyntaxNode, place: Place): void {
    const [value] = values(node);
    if (this.#found.bindsAll && value?.type === 'identifier') this.#found.use(value, 'returned', place);
    this.#returned(value ?? null);
    this.#parts(node, place, false);
  }

  /** `return a(x)(f)` returns what `a(x)` makes of `f`, so the call `a(x)` is recorded as returned. */
  #returned(value: SyntaxNode | null): void {
    const callee = value?.type === 'call' ? value.childForFieldName('function') : null;
    this.#found.hold(callee?.type === 'call' ? callee : value, 'return');
  }

  /** `a = b = value`, `a: T = value`, `a, b = x, y`. */
  #assignment(node: SyntaxNode, place: Place): void {
    const right = node.childForFieldName('right');
    if (right?.type === 'lambda' && place.scope.kind === 'class') return this.#method(node, right, place);
    const isChain = right?.type === 'assignment';
    let value = right;
    while (value?.type === 'assignment') value = value.childForFieldName('right');
    this.#targets.assign(node.childForFieldName('left'), value, { ...place, assignment: node });
    this.#field(node, 'type', place);
    this.#exports(node, place);
    this.#visit(right, place, !isChain);
  }

  /** A lambda that a class body assigns to a name is a method. */
  #method(assignment: SyntaxNode, lambda: SyntaxNode, place: Place): void {
    const left = assignment.childForFieldName('left');
    const name = left?.type === 'identifier' ? left : null;
    const body = newScope('function', place.scope, lambda);
    const site: DefinitionSite = { kind: 'definition', node: lambda, name, decorators: [], ...place, body };
    this.#found.definitions.push(site);
    if (name) this.#found.bind(name, 'defined', { ...place, assignment }, { site });
    else this.#targets.bind(left, place);
    this.#callable(lambda, body, place, false, true);
  }

  /** `x += 1` also reads x. */
  #augmented(node: SyntaxNode, place: Place): void {
    const left = node.childForFieldName('left');
    if (left?.type === 'identifier') this.#visit(left, place);
    this.#targets.bind(left, place);
    this.#exports(node, place);
    this.#field(node, 'right', place);
  }

  #walrus(node: SyntaxNode, place: Place): void {
    const name = node.childForFieldName('name');
    const value = node.childForFieldName('value');
    this.#targets.assign(name, value, { ...place, scope: walrusScope(place.scope) });
    this.#visit(value, place, true);
  }

  /** `with open(x) as f`, `except E as e`. */
  #asPattern(node: SyntaxNode, place: Place, role: Role): void {
    for (const child of values(node)) {
      if (child.type === 'as_pattern_target') this.#targets.bind(child, place, role);
      else this.#visit(child, place);
    }
  }

  #loop(node: SyntaxNode, place: Place): void {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    this.#targets.bind(left, place);
    for (const child of values(node)) {
      if (child.startIndex === left?.startIndex) continue;
      if (child.type === 'block') this.#visit(child, deeper(place));
      else this.#visit(child, place, child.startIndex === right?.startIndex);
    }
  }

  #declare(node: SyntaxNode, place: Place): void {
    const { globals, nonlocals } = place.scope;
    for (const name of values(node)) {
      (node.type === 'global_statement' ? globals : nonlocals).add(textOf(name, this.#text));
      this.#found.use(name, 'declared', place);
    }
  }

  #pattern(pattern: SyntaxNode, place: Place): void {
    for (const { node, role, before } of patternNames(pattern)) {
      const path = before.map((one) => textOf(one, this.#text));
      if (role === 'captured') this.#found.bind(node, 'bound', place);
      else if (before.length === 0)
        this.#found.use(node, 'read', place, { path: [textOf(node, this.#text)] });
      else this.#found.use(node, 'attribute', place, { path });
    }
  }

  #decorated(node: SyntaxNode, place: Place): void {
    const decorators = values(node).filter(({ type }) => type === 'decorator');
    for (const decorator of decorators) {
      const [target] = values(decorator);
      this.#found.hold(target ?? null, 'decorator');
      this.#visit(target ?? null, place);
    }
    const definition = node.childForFieldName('definition');
    if (definition) this.#definition(definition, place, decorators);
  }

  /** Defaults, annotations and bases are evaluated outside the body. */
  #definition(node: SyntaxNode, place: Place, decorators: SyntaxNode[]): void {
    const typed = node.childForFieldName('type_parameters');
    const outer = typed ? { ...place, scope: newScope('function', place.scope, typed) } : place;
    for (const parameter of namesIn(typed)) this.#found.bind(parameter, 'parameter', outer);
    const isClass = node.type === 'class_definition';
    const body = newScope(isClass ? 'class' : 'function', outer.scope, node);
    const name = node.childForFieldName('name');
    const site: DefinitionSite = { kind: 'definition', node, name, decorators, ...place, body };
    this.#found.definitions.push(site);
    if (name) this.#found.bind(name, 'defined', place, { site });
    this.#field(node, 'superclasses', outer);
    this.#field(node, 'return_type', outer);
    this.#callable(node, body, outer, !isClass && !this.#entersBody(node));
  }

  #lambda(node: SyntaxNode, place: Place): void {
    this.#returned(node.childForFieldName('body'));
    this.#callable(node, newScope('function', place.scope, node), place, false, true);
  }

  #callable(
    node: SyntaxNode,
    scope: LexicalScope,
    outside: Place,
    isClosed: boolean,
    handedOn = false,
  ): void {
    const inside = { scope, flow: { ...outside.flow, conditional: false } };
    for (const parameter of parametersOf(node)) this.#parameter(parameter, { inside, outside });
    if (!isClosed) this.#field(node, 'body', inside, handedOn);
  }

  #parameter(node: SyntaxNode, places: { inside: Place; outside: Place }): void {
    if (node.type === 'identifier') return this.#found.bind(node, 'parameter', places.inside);
    this.#field(node, 'value', places.outside, true);
    this.#field(node, 'type', places.outside);
    const name = node.childForFieldName('name') ?? values(node).find(({ type }) => type !== 'type');
    if (name) this.#parameter(name, places);
  }

  /** The first iterable is evaluated outside the comprehension. */
  #comprehension(node: SyntaxNode, place: Place): void {
    const inside = { ...place, scope: newScope('comprehension', place.scope, node) };
    const parts = values(node);
    const clauses = parts.filter(({ type }) => type === 'for_in_clause');
    for (const clause of clauses) this.#targets.bind(clause.childForFieldName('left'), inside);
    for (const part of parts) {
      if (part.type !== 'for_in_clause') this.#visit(part, inside);
      else this.#field(part, 'right', part.startIndex === clauses[0]!.startIndex ? place : inside);
    }
  }
}

function namesIn(node: SyntaxNode | null): readonly SyntaxNode[] {
  return node?.descendantsOfType('identifier') ?? [];
}

function withoutParentheses(node: SyntaxNode | null): SyntaxNode | null {
  let inner = node;
  while (inner?.type === 'parenthesized_expression') inner = values(inner)[0] ?? null;
  return inner;
}

function parametersOf(node: SyntaxNode): SyntaxNode[] {
  const list = node.childForFieldName('parameters');
  return list ? values(list) : [];
}
