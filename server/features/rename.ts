/**
 * Rename of endpoints: of their names in every declaration, and of their functions, classes and instances in the whole
 * project. What may mean something else is offered for confirmation, where the editor can ask.
 */
import type {
  AnnotatedTextEdit,
  ChangeAnnotation,
  Position,
  Range,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import type { ProjectView } from '../../runtime/source/live/ProjectView.ts';
import type { RenameEdit } from '../../runtime/source/references/RenameEdit.ts';
import { contentRange, renameName } from '../../runtime/source/references/renameName.ts';
import { renameSymbol } from '../../runtime/source/references/renameSymbol.ts';
import { type Target, targetAt } from '../../runtime/source/references/targetAt.ts';
import type { PlaceContext } from './feature.ts';

/** What would be renamed at a position; null where nothing of an endpoint stands. */
export function prepareRename(
  { project, document }: PlaceContext,
  position: Position,
): { range: Range; placeholder: string } | null {
  const target = targetAt(project, document.file, position);
  return target && { range: rangeOf(project, target), placeholder: target.name };
}

/**
 * Null where nothing of an endpoint stands.
 *
 * @throws ToolkitError VALIDATION_ERROR for what is no name, CONFLICT for a name that means something else.
 */
export async function rename(
  { project, document, client, uriOf, signal }: PlaceContext,
  position: Position,
  newName: string,
): Promise<WorkspaceEdit | null> {
  const target = targetAt(project, document.file, position);
  if (!target) return null;
  const edits =
    target.kind === 'name'
      ? await renameName(project, target.name, newName, signal)
      : await renameSymbol(project, target.named, newName, signal);
  const { documentChanges, changeAnnotationSupport } = client.capabilities.workspace?.workspaceEdit ?? {};
  return documentChanges && changeAnnotationSupport
    ? annotated(edits, target.name, newName, uriOf)
    : plain(edits, uriOf);
}

function rangeOf(project: ProjectView, target: Target): Range {
  if (target.kind === 'symbol') return target.use.range;
  const { file, range } = target.literal;
  return contentRange(project.textOf(file) ?? '', range) ?? range;
}

/** Only what is certain: nobody could be asked about the rest. */
function plain(edits: readonly RenameEdit[], uriOf: (file: string) => string): WorkspaceEdit {
  const changes: Record<string, TextEdit[]> = {};
  for (const { file, range, text, reason } of edits) {
    if (reason === 'certain' || reason === 'follows')
      (changes[uriOf(file)] ??= []).push({ range, newText: text });
  }
  return { changes };
}

function annotated(
  edits: readonly RenameEdit[],
  oldName: string,
  newName: string,
  uriOf: (file: string) => string,
): WorkspaceEdit {
  const told = annotationsOf(oldName, newName);
  const used = new Set(edits.flatMap(({ reason }) => (reason === 'certain' ? [] : [reason])));
  const byFile = Map.groupBy(edits, ({ file }) => file);
  return {
    documentChanges: [...byFile].map(([file, ofFile]) => ({
      textDocument: { uri: uriOf(file), version: null },
      edits: ofFile.map(({ range, text, reason }): TextEdit | AnnotatedTextEdit =>
        reason === 'certain' ? { range, newText: text } : { range, newText: text, annotationId: reason },
      ),
    })),
    changeAnnotations: Object.fromEntries([...used].map((reason) => [reason, told[reason]])),
  };
}

function annotationsOf(
  oldName: string,
  newName: string,
): Record<Exclude<RenameEdit['reason'], 'certain'>, ChangeAnnotation> {
  return {
    follows: {
      label: `Rename "${oldName}", and the endpoint with it`,
      description: `The endpoint has its function's name. The next deploy creates "${newName}" and removes "${oldName}".`,
      needsConfirmation: false,
    },
    maybe: {
      label: `Places that may mean "${oldName}"`,
      description: 'Only running the code could tell whether they do.',
      needsConfirmation: true,
    },
    keeps: {
      label: `Keep the endpoint's name "${oldName}"`,
      description: `Adds name="${oldName}", so that what is deployed keeps its name and its URL.`,
      needsConfirmation: true,
    },
  };
}
