/** Control flow: where a node is, and what decides whether the parts of a compound statement run. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { guardsOfCondition, testOfName } from './condition.ts';
import { guardOfHandler, guardOfTry, guardOfWith } from './guard.ts';
import type { LexicalScope } from './LexicalScope.ts';
import type { Flow } from './NameUse.ts';
import { type Arm, type BranchGuards, bothGuards, isRun, type NameTest } from './reach.ts';
import { textOf, values } from './readExpression.ts';

/** A handler that catches a missing name. */
const FORESEES = /^except\s*:|^except\s[^:]*\bNameError\b/;

/**
 * Generated code may have thousands of `elif` clauses; a branch stores only the first conditions before it.
 */
const MOST_TESTS = 20;

/** The scope of a node, and the conditions that decide whether the node runs. */
export interface Place {
  scope: LexicalScope;
  flow: Flow;
  /** The assignment, if the node is a target of one. */
  assignment?: SyntaxNode;
}

/** The flow of a statement directly in a module or body. */
export const PLAIN: Flow = { guard: null, foreseen: false, annotation: false, broken: false };

/** A part of a statement and its place. */
interface Part {
  node: SyntaxNode;
  place: Place;
}

/** The parts of an `if`, `try`, `match` or `with` statement, in order. `elif` clauses are split too. */
export function partsOf(node: SyntaxNode, place: Place, text: string): Part[] {
  if (node.type === 'if_statement') return partsOfIf(node, place, text);
  if (node.type === 'try_statement') return partsOfTry(node, place, text);
  if (node.type === 'match_statement') return partsOfMatch(node, place);
  const guard = guardOfWith(node, text);
  return values(node).map((child) => ({
    node: child,
    place: child.type === 'block' ? deeper(guarded(place, guard)) : place,
  }));
}

function partsOfIf(node: SyntaxNode, place: Place, text: string): Part[] {
  const parts: Part[] = [];
  // The place of the next clause, under the conditions so far.
  let here = place;
  let arm = 0;
  // A branch that every worker takes counts as if it had no condition.
  let isReached = true;
  let failed: readonly NameTest[] = [];
  const clause = (one: SyntaxNode) => {
    const condition = one.childForFieldName('condition');
    const guards: BranchGuards = condition
      ? guardsOfCondition(condition, text)
      : { first: null, others: null };
    const consequence = one.childForFieldName('consequence')?.startIndex;
    const isUndecided = guards.first === null && guards.others === null;
    const test =
      condition && isUndecided && place.scope.kind === 'module' ? testOfName(condition, text) : null;
    const then: SyntaxNode[] = [];
    for (const child of values(one)) {
      if (child.type === 'elif_clause' || child.type === 'else_clause') then.push(child);
      else if (child.startIndex !== consequence) parts.push({ node: child, place: here });
      else {
        const isTaken = isReached && guards.first === null && !isRun(guards.others);
        const needs = test ? [...failed, test] : failed;
        parts.push({ node: child, place: inArm(guarded(here, guards.first), node, arm++, !isTaken, needs) });
      }
    }
    here = guarded(here, guards.others);
    if (test && failed.length < MOST_TESTS) failed = [...failed, { ...test, is: !test.is }];
    isReached &&= guards.others === null && !isRun(guards.first);
    return then;
  };
  for (const child of clause(node)) {
    if (child.type === 'elif_clause') clause(child);
    else
      for (const block of values(child))
        parts.push({ node: block, place: inArm(here, node, arm, !isReached, failed) });
  }
  return parts;
}

/** A handler excludes the body and the `else` of its `try`. */
function partsOfTry(node: SyntaxNode, place: Place, text: string): Part[] {
  const guard = guardOfTry(node, text);
  const foreseen = values(node).some((clause) => FORESEES.test(textOf(clause, text)));
  const body = within(guarded(place, guard), foreseen ? { foreseen } : {});
  return values(node).map((child, at) => {
    if (child.type === 'block') return { node: child, place: inArm(body, node, 0) };
    if (child.type.startsWith('except'))
      return {
        node: child,
        place: inArm(guarded(place, guardOfHandler(child, text, guard)), node, at, false),
      };
    return { node: child, place: child.type === 'else_clause' ? inArm(place, node, 0, false) : place };
  });
}

function partsOfMatch(node: SyntaxNode, place: Place): Part[] {
  const body = node.childForFieldName('body')?.startIndex;
  return values(node).flatMap((child) =>
    child.startIndex === body
      ? values(child).map((clause, arm) => ({ node: clause, place: inArm(place, node, arm, false) }))
      : [{ node: child, place }],
  );
}

/** The place inside a branch of a compound statement. */
function inArm(
  place: Place,
  { startPosition: { row, column } }: SyntaxNode,
  arm: number,
  isDeeper = true,
  needs: readonly NameTest[] = [],
): Place {
  const own: Arm = { line: row, character: column, arm, ...(needs.length > 0 && { needs }) };
  const arms = [...(place.flow.arms ?? []), own];
  return within(isDeeper ? deeper(place) : place, { arms });
}

/** The same place with some properties of its flow replaced. */
export function within(place: Place, flow: Partial<Flow>): Place {
  return { ...place, flow: { ...place.flow, ...flow } };
}

/** The place inside a block. */
export function deeper(place: Place): Place {
  return within(place, { conditional: true });
}

/** The place under a guard. */
function guarded(place: Place, guard: Flow['guard']): Place {
  return guard === null ? place : within(place, { guard: bothGuards(place.flow.guard, guard) });
}
