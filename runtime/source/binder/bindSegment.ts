/**
 * A parsed segment → the scopes, bindings, definitions and imports in it. Other segments are not considered:
 * `readUses` reads everything that depends on names that other segments bind.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import { bareTryFault, findFault } from '../syntax/findFault.ts';
import type { ParsedSegment } from '../syntax/ParsedSegment.ts';
import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode, SyntaxParser } from '../syntax/SyntaxParser.ts';
import type { BoundSegment, ModuleName, SegmentPlace } from './BoundSegment.ts';
import { addBindings, bindingsOf } from './bindings.ts';
import { namesPerhapsChanged } from './changedValues.ts';
import { exportLists } from './exportedTexts.ts';
import type { Binding, Definition, Import, Scope } from './FileFacts.ts';
import { ignoreComments } from './ignoreComments.ts';
import { segmentExit } from './moduleExit.ts';
import type { DefinitionSite, ImportSite, NameUse, Role } from './NameUse.ts';
import { NameWalk } from './NameWalk.ts';
import { dependsOnVersion, isRun, reachOf } from './reach.ts';
import { readDecorator, readDefinition } from './readDefinition.ts';
import { readExpression, textOf } from './readExpression.ts';
import { readImport } from './readImport.ts';
import { mayMatter, ScopeNumbers } from './ScopeNumbers.ts';
import { WordPlaces } from './WordPlaces.ts';
import { leadsOf } from './wantedNames.ts';

/** Code that binds names in ways that the text does not show. */
const BINDS_UNSEEN = /\b(?:globals|exec)\s*\(|\bvars\s*\(\s*\)|\bsys\s*\.\s*modules\b/;
/** Importing the package by a string matters only in a file that also takes the class from it. */
const TAKES_CLASS = /\.\s*Endpoint\b|["']Endpoint["']/;

const HAS_BODY = /\b(?:def|class|lambda)\b/;
/**
 * Statements that may contain a condition, and conditions that test only a name, with `not`, brackets and
 * comments.
 */
const COMPOUND = /^(?:(?:if|try|with|for|while|match)_statement|ERROR)$/;
const TESTS_NAME = /\b(?:el)?if\b(?:[\s(\\]|not\b|#.*\n)*[\w\u0080-\uffff]+(?:[\s)\\]|#.*\n)*:/;

/** Generated code may bind one name many times; only this many bindings of a name count in a segment. */
const MOST_PLACES = 100;

const NO_WORDS = new WordPlaces('', new Set());
const NO_BINDING: ReadonlySet<Role> = new Set([
  'read',
  'attribute',
  'exported',
  'declared',
  'returned',
  'imported-as',
]);

/** The context in which a segment is read. */
export interface SegmentContext {
  file: string;
  parser: SyntaxParser;
  /** The scopes and definitions before the segment, and its first line in the parsed text. */
  at: SegmentPlace;
}

/** Binds one segment. Lines in the result are lines of the parsed text. */
export function bindSegment(parsed: ParsedSegment, { file, parser, at }: SegmentContext): BoundSegment {
  const { nodes, text, source } = parsed;
  return {
    at,
    ...new Outline(file, source, at).read(nodes, text.includes(':=')),
    exported: exportLists(nodes, source),
    exit: segmentExit(nodes, source),
    ignores: ignoreComments(parsed),
    fault: findFault(parsed, parser) ?? firstBareTry(nodes, text),
    mentionsSdk: text.includes(SDK_MODULE),
    dependsOnVersion: text.includes('version_info'),
    perhapsChanged: HAS_BODY.test(text) ? namesPerhapsChanged(text) : [],
    testsNames: nodes.some(({ type }) => COMPOUND.test(type)) && TESTS_NAME.test(text),
    takesClass: TAKES_CLASS.test(text),
    bindsUnseen: BINDS_UNSEEN.test(text),
    uses: { looseCalls: [], looseRoutes: [], classUses: [], reads: [], loads: [], changes: [] },
  };
}

function firstBareTry(nodes: readonly SyntaxNode[], text: string) {
  if (!/\btry\b/.test(text)) return null;
  const tries = nodes.flatMap((node) => node.descendantsOfType('try_statement'));
  return tries.map(bareTryFault).find((fault) => fault !== null) ?? null;
}

type OutlineText = Pick<
  BoundSegment,
  'imports' | 'stars' | 'mutated' | 'bindings' | 'moduleNames' | 'leads' | 'scopes' | 'definitions'
>;

class Outline {
  readonly #text: string;
  readonly #file: string;
  readonly #at: SegmentPlace;
  readonly #imports: Import[] = [];
  readonly #mutated: string[] = [];
  readonly #moduleNames: ModuleName[] = [];
  /** How many times each module-level name is bound. */
  readonly #times = new Map<string, number>();
  readonly #module: Scope = { kind: 'module', name: '', parent: null, bindings: {}, stars: [] };
  readonly #scopes: Scope[] = [];
  readonly #definitions: Definition[] = [];
  readonly #numbers = new Map<DefinitionSite, number>();
  readonly #seen = new Set<ImportSite>();

  constructor(file: string, text: string, at: SegmentPlace) {
    this.#text = text;
    this.#file = file;
    this.#at = at;
  }

  read(nodes: readonly SyntaxNode[], hasWalrus: boolean): OutlineText {
    const text = this.#text;
    const entersBody = (definition: SyntaxNode) => mayMatter(definition, text);
    const walk = new NameWalk(text, { words: NO_WORDS, hasWalrus, entersBody });
    walk.statements(nodes);
    const scopes = ScopeNumbers.inOrder(walk.definitions, this.#at.scopes);
    for (const site of walk.definitions) if (scopes.has(site.body)) this.#definition(site, scopes);
    for (const site of walk.imports) this.#import(site, scopes.around(site.scope));
    for (const use of walk.uses) this.#use(use, scopes);
    return {
      imports: this.#imports,
      stars: this.#module.stars,
      mutated: this.#mutated,
      bindings: this.#module.bindings,
      moduleNames: this.#moduleNames,
      leads: leadsOf(this.#module, this.#scopes, this.#at.scopes),
      scopes: this.#scopes,
      definitions: this.#definitions,
    };
  }

  #scope(index: number): Scope {
    return index === 0 ? this.#module : this.#scopes[index - this.#at.scopes]!;
  }

  #definition(site: DefinitionSite, scopes: ScopeNumbers): void {
    const { node, decorators, flow } = site;
    const scope = scopes.around(site.scope);
    // Parameters count only for decorated definitions and methods.
    const isServed = decorators.length > 0 || this.#scope(scope).kind === 'class';
    const read = readDefinition(node, site.name!, this.#text, isServed);
    const outer = this.#scope(scope).name;
    const name = outer === '' ? read.name : `${outer}.${read.name}`;
    this.#numbers.set(site, this.#at.definitions + this.#definitions.length);
    this.#scopes.push({ kind: read.kind, name, parent: scope, bindings: {}, stars: [] });
    this.#definitions.push({
      ...read,
      scope,
      body: scopes.around(site.body),
      ...reachOf(flow),
      decorators: decorators.map((decorator) => readDecorator(decorator, this.#text)),
    });
  }

  #import({ node, flow }: ImportSite, scope: number): void {
    const { imports, star } = readImport(node, this.#text, this.#file);
    for (const item of imports) this.#imports.push({ ...item, scope, ...reachOf(flow) });
    if (star) this.#scope(scope).stars.push(star);
  }

  #use(use: NameUse, scopes: ScopeNumbers): void {
    const { role, scope, name, node, site, assignment } = use;
    const owner = scopes.has(scope) ? this.#scope(scopes.around(scope)) : null;
    if (role === 'declared' && scope.globals.has(name)) {
      this.#moduleNames.push({
        name,
        range: rangeOf(node),
        absence: null,
        guard: null,
        overwrites: false,
        isLater: true,
      });
      this.#leave(owner, name, 'global');
    }
    if (role === 'returned') this.#return(owner, name);
    if (NO_BINDING.has(role) || !owner) return;
    if (owner.kind === 'class' && assignment) this.#field(owner, name, assignment);
    // An annotation without a value does not bind the name.
    if (assignment && !assignment.childForFieldName('right')) return;
    if (scope.parent === null) this.#nameOfModule(use);
    // The value that a function assigns to a module-level name is known only when the function runs.
    if (scope.globals.has(name)) addBindings(this.#module.bindings, name, [{ kind: 'opaque' }]);
    const { bindings } = owner;
    if (site?.kind === 'import') this.#bindImport(site, bindings);
    else if (role === 'deleted') {
      if (owner.kind === 'class') addBindings(bindings, name, [{ kind: 'deleted' }]);
    } else if (role !== 'mutated' || Object.hasOwn(bindings, name)) {
      addBindings(bindings, name, [this.#bindingOf(use, owner)]);
    } else if (owner === this.#module) {
      this.#mutated.push(name);
    }
  }

  #leave(scope: Scope | null, name: string, by: 'global' | 'return'): void {
    if (scope?.kind === 'function') (scope.leaves ??= []).push({ name, by });
  }

  /**
   * Only a name that is bound to a call or a definition can be an endpoint or create one. Other returns are
   * left out, so that they do not change the facts.
   */
  #return(scope: Scope | null, name: string): void {
    const mayDeclare = bindingsOf(scope?.bindings ?? {}, name).some((binding) =>
      binding.kind === 'value' ? binding.expression.kind === 'call' : binding.kind === 'definition',
    );
    if (mayDeclare) this.#leave(scope, name, 'return');
  }

  /** Adds an annotated name of a dataclass. */
  #field(scope: Scope, name: string, assignment: SyntaxNode): void {
    const type = assignment.childForFieldName('type');
    const { decorators } = this.#definitions[this.#scopes.indexOf(scope)]!;
    if (type && decorators.some(({ path }) => path?.at(-1) === 'dataclass'))
      (scope.fields ??= []).push({ name, annotation: textOf(type, this.#text) });
  }

  #bindImport(site: ImportSite, bindings: Record<string, Binding[]>): void {
    if (this.#seen.has(site)) return;
    this.#seen.add(site);
    const { row: line, column: character } = site.node.startPosition;
    for (const { name, binding } of readImport(site.node, this.#text, this.#file).bindings)
      addBindings(bindings, name, [{ ...binding, line, character, ...reachOf(site.flow) }]);
  }

  #bindingOf({ role, site, value, flow }: NameUse, owner: Scope): Binding {
    const definition = site?.kind === 'definition' ? this.#numbers.get(site) : undefined;
    if (definition !== undefined) return { kind: 'definition', definition };
    if (role === 'mutated') return { kind: 'changed' };
    if (!value) return { kind: 'opaque' };
    const expression = readExpression(value, this.#text);
    // Other values in a function cannot reach a declaration. They are opaque, so that typing in the function
    // does not change the facts.
    const isFollowed = expression.kind === 'call' || expression.kind === 'reference';
    if (owner.kind === 'function' && !isFollowed) return { kind: 'opaque' };
    return { kind: 'value', expression, ...reachOf(flow) };
  }

  #nameOfModule({ name, node, role, flow, site, assignment }: NameUse): void {
    const isCertain = !flow.conditional;
    if (role === 'mutated' || (role === 'deleted' && !isCertain)) return;
    const runsElsewhere = dependsOnVersion(flow.guard) ? 'elsewhere' : null;
    const lacking = isRun(flow.guard) ? runsElsewhere : flow.guard;
    const gone = role === 'handler' || role === 'deleted' ? role : null;
    const times = (this.#times.get(name) ?? 0) + 1;
    this.#times.set(name, times);
    if (times > MOST_PLACES) return;
    this.#moduleNames.push({
      name,
      range: rangeOf(node),
      absence: lacking ?? gone,
      guard: lacking && flow.guard,
      overwrites:
        isCertain && (gone === 'deleted' || site?.kind === 'import' || this.#isOther(name, assignment)),
      isLater: false,
    });
  }

  /** Whether an assignment gives a name an unrelated value. `f = wrapped(f)` is based on the previous f. */
  #isOther(name: string, assignment: SyntaxNode | null): boolean {
    const right = assignment?.childForFieldName('right');
    return Boolean(right) && new WordPlaces(textOf(right!, this.#text), new Set([name])).isEmpty;
  }
}
