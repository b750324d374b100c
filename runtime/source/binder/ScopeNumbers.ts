/**
 * Scopes of a segment → their numbers in the facts. Facts have scopes only for the module and for
 * definitions.
 */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { LexicalScope } from './LexicalScope.ts';
import type { DefinitionSite } from './NameUse.ts';
import { textOf } from './readExpression.ts';

/** Without any of these words, a function's body adds only uses of names to the facts. */
const MATTERS = /\b(?:import|def|class|global|nonlocal)\b|@|\bEndpoint\b/;

/** Whether a function's body may add to the facts. Most bodies in large files do not need to be walked. */
export function mayMatter(definition: SyntaxNode, text: string): boolean {
  const body = definition.childForFieldName('body');
  return body !== null && MATTERS.test(textOf(body, text));
}

export class ScopeNumbers {
  readonly #numbers: ReadonlyMap<LexicalScope, number>;

  /** @param numbers - The numbers of the bodies of definitions. */
  constructor(numbers: Iterable<readonly [LexicalScope, number]>) {
    this.#numbers = new Map(numbers);
  }

  /** Numbers all definitions of a segment in order. `first` is the number of the first body. */
  static inOrder(definitions: readonly DefinitionSite[], first: number): ScopeNumbers {
    // Broken source may leave a definition without a name.
    const named = definitions.filter(({ name }) => name !== null);
    return new ScopeNumbers(named.map(({ body }, at) => [body, first + at]));
  }

  /** Whether the facts contain this scope. */
  has(scope: LexicalScope): boolean {
    return scope.parent === null || this.#numbers.has(scope);
  }

  /**
   * The number of a scope. A scope that the facts do not contain, such as that of a lambda, has the number of
   * the scope around it.
   */
  around(scope: LexicalScope): number {
    return this.#numbers.get(scope) ?? (scope.parent ? this.around(scope.parent) : 0);
  }
}
