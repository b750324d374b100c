/** The statements of a module → the names that they bind, and for which of them no worker has the name afterwards. */
import type { Range } from '../../contract/diagnostic.ts';
import type { ParsedSegment } from '../syntax/ParsedSegment.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Absence, Guard } from './FileFacts.ts';
import { guardsOfIf } from './guard.ts';
import { rangeOf } from './range.ts';
import { textOf, values } from './readExpression.ts';

/** One place that binds a name of the module, or takes it away. */
export interface ModuleName {
  name: string;
  range: Range;
  /** Null where a worker runs the statement, as far as the text tells. */
  absence: Absence | null;
}

interface Place {
  absence: Absence | null;
  depth: number;
}

/** Python itself allows 100 levels of indentation. */
const MAX_DEPTH = 100;
const TARGET_LIST =
  /^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list|list_splat_pattern|as_pattern_target)$/;

/** The names of a module, or of some of its statements. */
export interface ModuleNames {
  found: ModuleName[];
  /** Names that functions declare `global`: they may bind them whenever they are called. */
  global: ModuleName[];
}

/**
 * The names that statements of a module bind. A name that is bound under a condition counts as bound.
 *
 * @param exit - The statement at which every import of the module ends.
 */
export function moduleNames({ nodes, text, source }: ParsedSegment, exit: Range | null): ModuleNames {
  const walk = new ModuleWalk(source, /\bglobal\b/.test(text));
  for (const statement of nodes) {
    const isPast = exit !== null && statement.startPosition.row > exit.start.line;
    walk.statement(statement, { absence: isPast ? 'exit' : null, depth: 0 });
  }
  return { found: walk.found, global: walk.global };
}

/** The names of statements that stand past the end of their module. */
export function namesPastExit({ found, global }: ModuleNames): ModuleNames {
  const past = found.filter(({ absence }) => absence !== 'deleted');
  return { found: past.map((place) => ({ ...place, absence: 'exit' })), global };
}

class ModuleWalk {
  readonly found: ModuleName[] = [];
  readonly global: ModuleName[] = [];
  readonly #text: string;
  readonly #mayDeclareGlobals: boolean;

  constructor(text: string, mayDeclareGlobals: boolean) {
    this.#text = text;
    this.#mayDeclareGlobals = mayDeclareGlobals;
  }

  statement(node: SyntaxNode, place: Place): void {
    if (place.depth > MAX_DEPTH) return;
    switch (node.type) {
      case 'import_statement':
      case 'import_from_statement':
        return this.#import(node, place);
      case 'function_definition':
      case 'class_definition':
        return this.#definition(node, place);
      case 'decorated_definition': {
        const definition = node.childForFieldName('definition');
        return definition ? this.#definition(definition, place) : undefined;
      }
      case 'delete_statement':
        return this.#delete(node, place);
      case 'type_alias_statement': {
        const name = node.childForFieldName('left')?.descendantsOfType('identifier')[0];
        return name && this.#bind(name, place);
      }
      case 'if_statement':
        this.#if(node, place);
        return;
      case 'except_clause':
      case 'except_group_clause':
        return this.#handler(node, place);
      default:
        return this.#other(node, place);
    }
  }

  #bind(name: SyntaxNode, { absence }: Place): void {
    this.found.push({ name: textOf(name, this.#text), range: rangeOf(name), absence });
  }

  #import(node: SyntaxNode, place: Place): void {
    const module = node.childForFieldName('module_name');
    for (const item of values(node)) {
      if (item.startIndex === module?.startIndex) continue;
      const alias = item.type === 'aliased_import' ? item.childForFieldName('alias') : null;
      const name = alias ?? values(item)[0] ?? item;
      this.#bind(name, place);
    }
  }

  #definition(node: SyntaxNode, place: Place): void {
    const name = node.childForFieldName('name');
    if (name) this.#bind(name, place);
    if (this.#mayDeclareGlobals) this.#globals(node);
  }

  #globals(node: SyntaxNode): void {
    for (const statement of node.descendantsOfType('global_statement')) {
      for (const name of values(statement)) {
        this.global.push({ name: textOf(name, this.#text), range: rangeOf(name), absence: null });
      }
    }
  }

  /** Only a statement of the module itself takes a name away for certain. */
  #delete(node: SyntaxNode, place: Place): void {
    if (place.depth > 0 || place.absence !== null) return;
    for (const target of values(node)) this.#targets(target, { ...place, absence: 'deleted' });
  }

  /** An `if` statement, or an `elif` clause: what its condition says of all clauses after it. */
  #if(node: SyntaxNode, place: Place): Absence | null {
    const guards = guardsOfIf(node, this.#text);
    const condition = node.childForFieldName('condition')?.startIndex;
    const first = node.childForFieldName('consequence')?.startIndex;
    const inner = (absence: Absence | null) => ({
      absence: place.absence ?? absence,
      depth: place.depth + 1,
    });
    let others = absenceBy(guards.others);
    for (const child of values(node)) {
      if (child.startIndex === condition) this.statement(child, inner(null));
      else if (child.type === 'elif_clause') {
        const after = this.#if(child, inner(others));
        others ??= after;
      } else {
        this.statement(child, inner(child.startIndex === first ? absenceBy(guards.first) : others));
      }
    }
    return others;
  }

  /** `except E as e` takes e away at its end. */
  #handler(node: SyntaxNode, place: Place): void {
    for (const child of values(node)) {
      const isName = child.type === 'as_pattern';
      const absence = place.absence ?? (isName ? 'handler' : null);
      this.#other(child, { absence, depth: place.depth + 1 });
    }
  }

  #other(node: SyntaxNode, place: Place): void {
    const isBlock = /(?:_statement|_clause|block|module|ERROR|_item)$/.test(node.type);
    const inner = { ...place, depth: place.depth + 1 };
    switch (node.type) {
      case 'assignment':
      case 'augmented_assignment':
        this.#targets(node.childForFieldName('left'), place);
        this.#inside(node.childForFieldName('right'), place);
        return;
      case 'for_statement':
        this.#targets(node.childForFieldName('left'), place);
        break;
      case 'case_pattern':
      case 'ERROR':
        for (const name of node.descendantsOfType('identifier')) this.#bind(name, place);
        return;
      default:
        break;
    }
    if (!isBlock) return this.#inside(node, place);
    for (const child of values(node)) this.statement(child, inner);
  }

  /** Names bound in the middle of an expression. */
  #inside(node: SyntaxNode | null, place: Place): void {
    if (!node) return;
    if (node.type === 'assignment') return this.#other(node, place);
    if (!/:=| as /.test(textOf(node, this.#text))) return;
    for (const named of node.descendantsOfType('named_expression')) {
      this.#targets(named.childForFieldName('name'), place);
    }
    for (const target of node.descendantsOfType('as_pattern_target')) this.#targets(target, place);
  }

  #targets(node: SyntaxNode | null, place: Place): void {
    if (node?.type === 'identifier') this.#bind(node, place);
    else if (node && TARGET_LIST.test(node.type)) for (const item of values(node)) this.#targets(item, place);
  }
}

function absenceBy(guard: Guard | null): Absence | null {
  return guard === 'optional' ? null : guard;
}
