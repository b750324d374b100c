/** Targets of assignments, loops and `with` → the names that they bind, and the values of those names. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Place } from './flow.ts';
import type { Role } from './NameUse.ts';
import { values } from './readExpression.ts';
import type { UseRecorder } from './UseRecorder.ts';

const TARGET_LIST =
  /^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list|list_splat_pattern|parenthesized_expression|as_pattern_target)$/;
const SEQUENCE = /^(?:tuple|expression_list|list|set)$/;

export class TargetBinder {
  readonly #found: UseRecorder;
  readonly #visit: (node: SyntaxNode, place: Place) => void;

  /** @param visit - Reads the expressions inside a target, such as the index in `a[i] = 1`. */
  constructor(found: UseRecorder, visit: (node: SyntaxNode, place: Place) => void) {
    this.#found = found;
    this.#visit = visit;
  }

  /**
   * Assigns a value to a target. Items of a sequence are assigned to the items of the target; `*` takes the
   * remaining ones.
   */
  assign(target: SyntaxNode | null, value: SyntaxNode | null, place: Place): void {
    if (!target) return;
    if (target.type === 'identifier') {
      this.#found.hold(value, 'name');
      this.#found.bind(target, 'bound', place, { value });
      return;
    }
    const items = TARGET_LIST.test(target.type) ? values(target) : [];
    if (isInBrackets(target)) return this.assign(items[0]!, value, place);
    const parts = value && SEQUENCE.test(value.type) ? values(value) : [];
    const star = items.findIndex(({ type }) => type === 'list_splat_pattern');
    const taken = parts.length - items.length;
    const isMatched = star === -1 ? taken === 0 : taken >= -1;
    if (items.length === 0 || !isMatched || parts.some(({ type }) => type === 'list_splat'))
      return this.bind(target, place);
    for (const [at, item] of items.entries()) {
      if (at === star) this.bind(item, place);
      else this.assign(item, parts[at > star ? at + taken : at]!, place);
    }
  }

  /** Binds the names in a target. `a[0]` and `a.b` read `a` and change its value. */
  bind(node: SyntaxNode | null, place: Place, role: Role = 'bound'): void {
    if (!node) return;
    if (node.type === 'identifier') {
      this.#found.bind(node, role, place);
    } else if (TARGET_LIST.test(node.type)) {
      for (const item of values(node)) this.bind(item, place, role);
    } else {
      this.mutate(node, place);
      this.#visit(node, place);
    }
  }

  /** Records that the value of the name at the start of `a`, `a.b` or `a[0]` is changed in place. */
  mutate(node: SyntaxNode | null, place: Place): void {
    let object = node;
    while (object && object.type !== 'identifier')
      object = object.childForFieldName('object') ?? object.childForFieldName('value');
    if (object) this.#found.use(object, 'mutated', place);
  }
}

/** `(a) = value`, which is not a tuple. */
function isInBrackets({ type, children }: SyntaxNode): boolean {
  return type === 'tuple_pattern' && children.length === 3 && children[1]!.type !== ',';
}
