/** A file's tree → where imported names are used: in which function bodies, or by the module itself. */
import { isGlobal, type LexicalScope, scopesAround } from '../binder/LexicalScope.ts';
import { NameWalk } from '../binder/NameWalk.ts';
import { isRun } from '../binder/reach.ts';
import { textOf, values } from '../binder/readExpression.ts';
import { WordPlaces } from '../binder/WordPlaces.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

export interface NameUses {
  /** Outermost functions, including methods, whose bodies read the module-level name. */
  bodies: Set<SyntaxNode>;
  /**
   * Outermost functions in which only tools read the name: in annotations, or in code that no worker runs.
   */
  unread: Set<SyntaxNode>;
  /** Whether decorators, defaults, annotations or other module-level code needs it. */
  byModule: boolean;
}

/**
 * Uses of some names outside the module's top-level import statements. A body is the same node object for all
 * names.
 */
export function usesOf(root: SyntaxNode, text: string, names: ReadonlySet<string>): Map<string, NameUses> {
  const words = new WordPlaces(text, names);
  const walk = new NameWalk(text, { words, bindings: 'wanted' });
  walk.statements(values(root).filter(({ type }) => !type.startsWith('import_')));
  const quoted = quotedIn(root, text, words);
  const uses = new Map(
    [...names].map((name): [string, NameUses] => [
      name,
      { bodies: new Set(), unread: new Set(), byModule: quoted.some((text) => wordIn(text, name)) },
    ]),
  );
  for (const use of walk.uses) {
    const { name, role, scope, flow } = use;
    const found = uses.get(name);
    if (!found || role === 'attribute' || role === 'imported' || role === 'imported-as') continue;
    if (!isGlobal(use)) continue;
    const body = outermostFunction(scope);
    const isUnread = flow.annotation || !isRun(flow.guard);
    if (!body || role === 'declared') found.byModule = true;
    else (isUnread ? found.unread : found.bodies).add(body);
  }
  // Tools look up the name in the module, unless the body binds it.
  for (const found of uses.values()) found.byModule ||= !found.unread.isSubsetOf(found.bodies);
  return uses;
}

function outermostFunction(scope: LexicalScope): SyntaxNode | null {
  const around = scopesAround(scope).filter(({ node }) => node?.type === 'function_definition');
  return around.at(-1)?.node ?? null;
}

/** Strings in annotations that contain one of the words. */
function quotedIn(root: SyntaxNode, text: string, words: WordPlaces): string[] {
  if (words.isEmpty) return [];
  return root
    .descendantsOfType('type')
    .filter((type) => words.isIn(type))
    .flatMap((type) => type.descendantsOfType('string').map((one) => textOf(one, text)));
}

function wordIn(text: string, name: string): boolean {
  return !new WordPlaces(text, new Set([name])).isEmpty;
}
