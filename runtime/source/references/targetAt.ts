/**
 * A position in a file → the endpoint name in a string at that position, or the Python name that leads to an
 * endpoint.
 */
import type { Position, Range } from '../../contract/diagnostic.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { NameUse } from '../binder/NameUse.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { runSteps } from '../steps.ts';
import { includes, rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { type BoundName, isSameName, originsOf } from './BoundName.ts';
import { declarationsOfName } from './endpointSites.ts';
import { type NameLiteral, nameLiterals } from './nameLiterals.ts';
import { moduleScope, nameUses } from './nameUses.ts';
import { containsLine } from './statementsAt.ts';
import { usedOrigins } from './usedOrigins.ts';

/** What is at a position. */
export type Target =
  | { kind: 'name'; name: string; literal: NameLiteral; declarations: Declaration[] }
  | {
      kind: 'symbol';
      /** The name in the text: an alias when it is not the origin's own name. */
      name: string;
      range: Range;
      /** The function, class or instance of an endpoint. */
      origin: BoundName;
      /** Where the origin got the name that is used here: the origin itself, or an alias of it. */
      named: BoundName;
      declarations: Declaration[];
    };

/** Null when the position does not belong to an endpoint, or when that is not known. */
export function targetAt(project: ProjectView, file: string, position: Position): Target | null {
  const literals = nameLiterals(project.index);
  const literal = literals.find((one) => one.isWhole && one.file === file && includes(one.range, position));
  if (literal) {
    const same = literals.filter(({ name }) => name === literal.name);
    return { kind: 'name', name: literal.name, literal, declarations: same.map((one) => one.declaration) };
  }
  return file === PROJECT_FILES.pyproject ? null : symbolAt(project, file, position);
}

function symbolAt(project: ProjectView, file: string, position: Position): Target | null {
  const name = wordAt(project.textOf(file) ?? '', position);
  const facts = name === null ? null : project.index.names.factsOf(file);
  if (name === null || !facts) return null;
  const found: Target[] = [];
  const walk = (root: SyntaxNode, text: string) => {
    const uses = nameUses(root, text, name, moduleScope(facts, name));
    const use = uses.find(({ node }) => includes(rangeOf(node), position));
    const target = use && symbolOf(project, file, use);
    if (target) found.push(target);
  };
  runSteps(project.withSegments(file, containsLine([position]), walk));
  return found[0] ?? null;
}

function symbolOf(project: ProjectView, file: string, use: NameUse): Target | null {
  const { index } = project;
  for (const origin of usedOrigins(project, file, use, 'thing').origins) {
    const declarations = declarationsOfName(index, origin);
    if (declarations.length === 0) continue;
    const given = usedOrigins(project, file, use, 'name').origins;
    const leads = (bound: BoundName) =>
      originsOf(index.names, bound, 'thing').some((one) => isSameName(one, origin));
    const named = given.find((bound) => isSameName(bound, origin)) ?? given.find(leads) ?? origin;
    return { kind: 'symbol', name: use.name, range: rangeOf(use.node), origin, named, declarations };
  }
  return null;
}

/** The name around a position. */
function wordAt(text: string, { line, character }: Position): string | null {
  let start = 0;
  for (let row = 0; row < line; row += 1) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return null;
  }
  const end = text.indexOf('\n', start);
  // 256 characters is longer than any name; a line of generated code may have millions of characters.
  const from = Math.max(start, start + character - 256);
  const around = text.slice(from, Math.min(end === -1 ? text.length : end, start + character + 256));
  const at = start + character - from;
  const before = /[\p{L}\p{N}_]*$/u.exec(around.slice(0, at))![0];
  const after = /^[\p{L}\p{N}_]*/u.exec(around.slice(at))![0];
  return before + after === '' ? null : before + after;
}
