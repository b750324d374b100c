/** Scopes of a segment → their numbers in the facts, which have scopes only for the module and for definitions. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { LexicalScope } from './LexicalScope.ts';
import type { DefinitionSite } from './NameUse.ts';
import { textOf } from './readExpression.ts';

/** Without any of these words, a function's body adds nothing to the facts but uses of names. */
const MATTERS = /\b(?:import|def|class|global|nonlocal)\b|@|\bEndpoint\b/;

/** Whether a function's body may add to the facts. Most bodies of large files need not be walked. */
export function mayMatter(definition: SyntaxNode, text: string): boolean {
  const body = definition.childForFieldName('body');
  return body !== null && MATTERS.test(textOf(body, text));
}

export class ScopeNumbers {
  readonly #numbers: ReadonlyMap<LexicalScope, number>;

  /** @param numbers - The numbers of the definitions' bodies. */
  constructor(numbers: Iterable<readonly [LexicalScope, number]>) {
    this.#numbers = new Map(numbers);
  }

  /** Numbers all definitions of a segment in order; `first` is the number of the first body. */
  static inOrder(definitions: readonly DefinitionSite[], first: number): ScopeNumbers {
    // Broken source may leave a definition without a name.
    const named = definitions.filter(({ name }) => name !== null);
    return new ScopeNumbers(named.map(({ body }, at) => [body, first + at]));
  }

  /** Whether the facts have a scope for this one. */
  has(scope: LexicalScope): boolean {
    return scope.parent === null || this.#numbers.has(scope);
  }

  /**
   * The number of the scope. A scope that the facts do not have, such as a lambda's, has the number of the one around
   * it.
   */
  around(scope: LexicalScope): number {
    return this.#numbers.get(scope) ?? (scope.parent ? this.around(scope.parent) : 0);
  }
}
