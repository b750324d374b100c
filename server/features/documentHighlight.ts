/**
 * Highlights in one document: uses of the function, class or instance at the cursor, or strings that name the same
 * endpoint.
 */
import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type DocumentHighlightParams,
} from 'vscode-languageserver';
import { usesWithin } from '../../runtime/source/references/findUses.ts';
import { nameLiterals } from '../../runtime/source/references/nameLiterals.ts';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import { takeTurns } from '../../runtime/source/steps.ts';
import type { DocumentContext } from './feature.ts';

/** Null if the position does not belong to an endpoint. */
export async function documentHighlight(
  { project, document, signal }: DocumentContext,
  { position }: DocumentHighlightParams,
): Promise<DocumentHighlight[] | null> {
  const target = targetAt(project, document.file, position);
  if (!target) return null;
  if (target.kind === 'name') {
    const here = nameLiterals(project.index).filter(
      ({ name, file }) => name === target.name && file === document.file,
    );
    return here.map(({ range }) => ({ range, kind: DocumentHighlightKind.Text }));
  }
  const uses = usesWithin(project, document.file, target.origin, 'direct', target.name);
  return (await takeTurns(uses, signal)).map(({ range, role }) => ({
    range,
    kind: /^(?:bound|defined|imported)$/.test(role)
      ? DocumentHighlightKind.Write
      : DocumentHighlightKind.Read,
  }));
}
