/** A parsed segment → its fragment. */
import { SDK_MODULE } from '../../contract/names.ts';
import { findFault } from '../syntax/findFault.ts';
import type { ParsedSegment } from '../syntax/ParsedSegment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { readBodyText } from './bodyReads.ts';
import { takesClass } from './classUses.ts';
import type { Fragment, FragmentPlace } from './Fragment.ts';
import { ignoreComments } from './ignoreComments.ts';
import type { KnownNames } from './KnownNames.ts';
import { moduleExit } from './moduleExit.ts';
import { overwritingNames } from './overwrittenNames.ts';
import { StatementWalk } from './StatementWalk.ts';

/** What a segment is read with. */
interface FragmentContext {
  file: string;
  parser: SyntaxParser;
  /** Names known from the segments before; those of this one join them. */
  known: KnownNames;
  /** The scopes and definitions before; its lines are those of the parsed text. */
  at: FragmentPlace;
}

/** Reads one segment; `at.line` is the line of the file that the parsed text's first row is. */
export function readFragment(parsed: ParsedSegment, { file, parser, known, at }: FragmentContext): Fragment {
  const { nodes, text, source } = parsed;
  const walk = new StatementWalk(file, source, at, known);
  for (const statement of nodes) walk.read(statement);
  const exit = moduleExit(nodes, source);
  return {
    at,
    imports: walk.imports,
    stars: walk.module.stars,
    changed: walk.changed,
    bindings: walk.module.bindings,
    scopes: walk.scopes,
    definitions: walk.definitions,
    ...walk.found,
    overwriting: overwritingNames(nodes, { text: source, file }),
    exit,
    body: readBodyText(parsed, exit),
    ignores: ignoreComments(parsed),
    fault: findFault(parsed, parser) ?? walk.bareTry,
    words: { mentionsSdk: text.includes(SDK_MODULE), takesClass: takesClass(text), ...walk.watched },
  };
}
