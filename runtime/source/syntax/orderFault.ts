/**
 * Statements without an error in their tree → a parameter or argument in an order that Python refuses. The
 * grammar accepts any order.
 */
import type { SyntaxNode } from './SyntaxParser.ts';

/**
 * Matches texts that may have such a fault: `name=value,` is followed by something without `=`, or by the
 * same name again. Few valid texts match, so most trees are not searched.
 */
const MAY_BE_MISORDERED =
  /(?:[(,]|\blambda\b)\s*([A-Za-z_]\w*)\s*(?::[^=,()]*)?=(?!=)(?:[^=,()[\]{}]+,\s*[\w.'"-]+\s*(?::[^=,()]*)?[,)]|[^()]{0,300},\s*\1\s*=(?!=))|\blambda\b[^:()]*=[^:(),]*,\s*\w+\s*[:,]/;

const LISTS = ['parameters', 'lambda_parameters', 'argument_list'];
const STAR = /^(?:keyword_separator|list_splat_pattern|dictionary_splat_pattern)$/;

/** A fault and its node. */
interface OrderFault {
  message: string;
  node: SyntaxNode;
}

/** Whether a text may have such a fault; false for almost all valid texts. */
export function mayBeMisordered(text: string): boolean {
  return MAY_BE_MISORDERED.test(text);
}

/** The first fault in statements of a source. */
export function orderFault(nodes: readonly SyntaxNode[], source: string): OrderFault | null {
  for (const list of nodes.flatMap((node) => node.descendantsOfType(LISTS))) {
    const items = list.namedChildren.filter(({ type }) => type !== 'comment' && type !== 'line_continuation');
    const fault = list.type === 'argument_list' ? argumentFault(items, source) : parameterFault(items);
    if (fault) return fault;
  }
  return null;
}

function parameterFault(items: readonly SyntaxNode[]): OrderFault | null {
  let hasDefault = false;
  for (const node of items) {
    const { type, namedChildren } = node;
    if (type === 'default_parameter' || type === 'typed_default_parameter') hasDefault = true;
    // After a star, parameters are keyword-only, and their order does not matter.
    else if ([type, namedChildren[0]?.type].some((one) => one && STAR.test(one))) return null;
    else if (hasDefault && (type === 'identifier' || type === 'typed_parameter'))
      return { node, message: 'A parameter without a default cannot follow one with a default.' };
  }
  return null;
}

function argumentFault(items: readonly SyntaxNode[], source: string): OrderFault | null {
  const given = new Set<string>();
  let hasKeyword = false;
  for (const node of items) {
    const name = node.type === 'keyword_argument' ? node.childForFieldName('name') : null;
    const written = name && source.slice(name.startIndex, name.endIndex);
    if (name && written) {
      if (given.has(written)) return { node: name, message: `The argument ${written} is given twice.` };
      given.add(written);
    } else if (hasKeyword && node.type !== 'list_splat' && node.type !== 'dictionary_splat')
      return { node, message: 'A positional argument cannot follow a keyword argument.' };
    hasKeyword ||= name !== null;
  }
  return null;
}
