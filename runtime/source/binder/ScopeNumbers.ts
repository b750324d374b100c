/** Scopes of a segment → their numbers in the facts, which have scopes for the module and for definitions alone. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { LexicalScope } from './LexicalScope.ts';
import type { DefinitionSite } from './NameUse.ts';
import { textOf } from './readExpression.ts';

/** Words without which a function's body has nothing that the facts tell, but uses of names. */
const MATTERS = /\b(?:import|def|class|global|nonlocal)\b|@|\bEndpoint\b/;

/** Whether the facts have what is in a function's body. Most bodies of large files need not be walked. */
export function mayMatter(definition: SyntaxNode, text: string): boolean {
  const body = definition.childForFieldName('body');
  return body !== null && MATTERS.test(textOf(body, text));
}

export class ScopeNumbers {
  readonly #numbers: ReadonlyMap<LexicalScope, number>;

  /** @param numbers - Of the definitions' bodies. */
  constructor(numbers: Iterable<readonly [LexicalScope, number]>) {
    this.#numbers = new Map(numbers);
  }

  /** Of all definitions of a segment, in order; `first` is the number of the first one's body. */
  static inOrder(definitions: readonly DefinitionSite[], first: number): ScopeNumbers {
    // Broken source may leave a definition without a name.
    const named = definitions.filter(({ name }) => name !== null);
    return new ScopeNumbers(named.map(({ body }, at) => [body, first + at]));
  }

  /** Whether the facts have the scope itself. */
  has(scope: LexicalScope): boolean {
    return scope.parent === null || this.#numbers.has(scope);
  }

  /** The number of the scope; of what the facts have no scope for, such as a lambda, that of the one around it. */
  around(scope: LexicalScope): number {
    return this.#numbers.get(scope) ?? (scope.parent ? this.around(scope.parent) : 0);
  }
}
