/** The flow of control: where a node is, and what decides whether the parts of a compound statement run. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { guardOfTry, guardOfWith, guardsOfIf } from './guard.ts';
import type { LexicalScope } from './LexicalScope.ts';
import type { Flow } from './NameUse.ts';
import { textOf, values } from './readExpression.ts';

/** A handler that foresees that a name is not there. */
const FORESEES = /^except\s*:|^except\s[^:]*\bNameError\b/;

/** Whose names the names of a node are, and what decides whether it runs. */
export interface Place {
  scope: LexicalScope;
  flow: Flow;
  /** The assignment that the node is a target of. */
  assignment?: SyntaxNode;
}

/** A statement of the module itself, or of a body with nothing around it. */
export const PLAIN: Flow = { guard: null, depth: 0, foreseen: false, annotation: false, broken: false };

/** A part of a statement, and the place that it has. */
interface Part {
  node: SyntaxNode;
  place: Place;
}

/** The parts of an `if`, a `try` or a `with` statement in their order; an `elif` clause is taken apart as well. */
export function partsOf(node: SyntaxNode, place: Place, text: string): Part[] {
  if (node.type === 'if_statement') return partsOfIf(node, place, text);
  if (node.type === 'try_statement') return partsOfTry(node, place, text);
  const guard = guardOfWith(node, text);
  return values(node).map((child) => ({
    node: child,
    place: child.type === 'block' ? deeper(guarded(place, guard)) : place,
  }));
}

function partsOfIf(node: SyntaxNode, place: Place, text: string): Part[] {
  const parts: Part[] = [];
  // What the conditions so far say of the clauses after them; the first that says something counts.
  let after: Flow['guard'] = null;
  const clause = (one: SyntaxNode) => {
    const here = guarded(place, after);
    const { first, others } = guardsOfIf(one, text);
    const consequence = one.childForFieldName('consequence')?.startIndex;
    const then: SyntaxNode[] = [];
    for (const child of values(one)) {
      if (child.type === 'elif_clause' || child.type === 'else_clause') then.push(child);
      else if (child.startIndex === consequence)
        parts.push({ node: child, place: deeper(guarded(here, first)) });
      else parts.push({ node: child, place: here });
    }
    after ??= others;
    return then;
  };
  for (const child of clause(node)) {
    if (child.type === 'elif_clause') clause(child);
    else parts.push({ node: child, place: guarded(place, after) });
  }
  return parts;
}

/** A handler of a failed import replaces it, so it has the same guard. */
function partsOfTry(node: SyntaxNode, place: Place, text: string): Part[] {
  const guard = guardOfTry(node, text);
  const foreseen = values(node).some((clause) => FORESEES.test(textOf(clause, text)));
  const body = deeper(within(guarded(place, guard), foreseen ? { foreseen } : {}));
  return values(node).map((child) => {
    if (child.type === 'block') return { node: child, place: body };
    return { node: child, place: child.type.startsWith('except') ? guarded(place, guard) : place };
  });
}

/** The same place with something else about its flow. */
export function within(place: Place, flow: Partial<Flow>): Place {
  return { ...place, flow: { ...place.flow, ...flow } };
}

/** Inside a block. */
export function deeper(place: Place): Place {
  return within(place, { depth: place.flow.depth + 1 });
}

/** Under a guard; the outermost one counts. */
function guarded(place: Place, guard: Flow['guard']): Place {
  return guard === null || place.flow.guard !== null ? place : within(place, { guard });
}
