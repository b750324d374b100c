/** Where a node is: whose names its names are, and what decides whether it runs. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { LexicalScope } from './LexicalScope.ts';
import type { Flow } from './NameUse.ts';

export interface Place {
  scope: LexicalScope;
  flow: Flow;
  /** The assignment that the node is a target of. */
  assignment?: SyntaxNode;
}

/** A statement of the module itself, or of a body with nothing around it. */
export const PLAIN: Flow = { guard: null, depth: 0, foreseen: false, annotation: false, broken: false };

/** The same place with something else about its flow. */
export function within(place: Place, flow: Partial<Flow>): Place {
  return { ...place, flow: { ...place.flow, ...flow } };
}

/** Inside a block. */
export function deeper(place: Place): Place {
  return within(place, { depth: place.flow.depth + 1 });
}

/** Under a guard; the outermost one counts. */
export function guarded(place: Place, guard: Flow['guard']): Place {
  return guard === null || place.flow.guard !== null ? place : within(place, { guard });
}
