/** The pattern of a `case` → the names that it captures, and the dotted names that it reads. */

import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { values } from './readExpression.ts';

/** One name of a pattern. */
export interface PatternName {
  node: SyntaxNode;
  /** `captured` binds the name; `read` refers to a value, or to a class that is tested for. */
  role: 'captured' | 'read';
  /** The names before it: `a` and `b` in `a.b.c`. */
  before: SyntaxNode[];
}

/**
 * Finds the names in a pattern. A single name is captured; a dotted name and the name of a class are read.
 */
export function patternNames(node: SyntaxNode): PatternName[] {
  return values(node).flatMap((child, at): PatternName[] => {
    if (child.type === 'identifier') {
      // In `Point(x=name)`, the first name is an attribute of the class.
      const isAttribute = node.type === 'keyword_pattern' && at === 0;
      return isAttribute ? [] : [{ node: child, role: 'captured', before: [] }];
    }
    if (child.type === 'dotted_name') {
      const parts = values(child);
      const isCapture = parts.length === 1 && node.type !== 'class_pattern';
      const role = isCapture ? 'captured' : 'read';
      return parts.map((part, place) => ({ node: part, role, before: parts.slice(0, place) }));
    }
    return child.type.endsWith('_pattern') ? patternNames(child) : [];
  });
}
