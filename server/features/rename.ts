/**
 * Renames endpoints: their names in every declaration, and their functions, classes and instances in the whole project.
 * Uncertain edits need the user's confirmation, and are left out if the editor cannot ask for it.
 */
import type {
  AnnotatedTextEdit,
  ChangeAnnotation,
  PrepareRenameParams,
  Range,
  RenameParams,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import { PROJECT_FILES } from '../../runtime/contract/names.ts';
import type { RenameEdit } from '../../runtime/source/references/RenameEdit.ts';
import { renameName } from '../../runtime/source/references/renameName.ts';
import { renameSymbol } from '../../runtime/source/references/renameSymbol.ts';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import type { DocumentContext } from './feature.ts';
import { targetRange } from './targetRange.ts';
import { workspaceEdit } from './workspaceEdit.ts';

/** What would be renamed at a position; null if it does not belong to an endpoint. */
export function prepareRename(
  { project, document }: DocumentContext,
  { position }: PrepareRenameParams,
): { range: Range; placeholder: string } | null {
  const target = targetAt(project, document.file, position);
  return target && { range: targetRange(project, target), placeholder: target.name };
}

/**
 * Null if the position does not belong to an endpoint.
 *
 * @throws ToolkitError VALIDATION_ERROR for an invalid name, CONFLICT for a name that already has another meaning.
 */
export async function rename(
  context: DocumentContext,
  { position, newName }: RenameParams,
): Promise<WorkspaceEdit | null> {
  const { project, document, client, signal, versionOf } = context;
  const target = targetAt(project, document.file, position);
  if (!target) return null;
  const versions = new Map(
    [...project.files, PROJECT_FILES.pyproject].map((file) => [file, versionOf(file)]),
  );
  const edits =
    target.kind === 'name'
      ? await renameName(project, target.name, newName, signal)
      : await renameSymbol(project, target.named, newName, signal);
  for (const { file } of edits) refuseEdited(file, versions.get(file) ?? null, versionOf(file));
  const { documentChanges, changeAnnotationSupport } = client.capabilities.workspace?.workspaceEdit ?? {};
  const canAsk = documentChanges === true && changeAnnotationSupport !== undefined;
  // Without change annotations, the client cannot ask for confirmation, so leave out uncertain edits.
  const made = canAsk ? edits : edits.filter(({ reason }) => reason === 'certain' || reason === 'follows');
  const byFile = Map.groupBy(made, ({ file }) => file);
  const edit = workspaceEdit(
    context,
    [...byFile].map(([file, ofFile]) => [file, ofFile.map((one) => textEdit(one, canAsk))]),
  );
  if (!canAsk) return edit;
  const annotations = Object.entries(annotationsOf(target.name, newName));
  const used = annotations.filter(([key]) => made.some(({ reason }) => reason === key));
  return { ...edit, changeAnnotations: Object.fromEntries(used) };
}

function textEdit(
  { range, text: newText, reason }: RenameEdit,
  canAsk: boolean,
): TextEdit | AnnotatedTextEdit {
  return canAsk && reason !== 'certain' ? { range, newText, annotationId: reason } : { range, newText };
}

/** Fails if a file was edited during the search: ranges in its older text would be wrong. */
function refuseEdited(file: string, before: number | null, now: number | null): void {
  if (before === now) return;
  throw new ToolkitError('CONFLICT', `${file} was edited during the rename.`, {
    hint: 'Rename again.',
  });
}

function annotationsOf(
  oldName: string,
  newName: string,
): Record<Exclude<RenameEdit['reason'], 'certain'>, ChangeAnnotation> {
  return {
    follows: {
      label: `Rename "${oldName}" and its endpoint`,
      description: `The endpoint is named after its function. The next deploy creates "${newName}" and removes "${oldName}".`,
      needsConfirmation: false,
    },
    maybe: {
      label: `Possible uses of "${oldName}"`,
      description: 'Whether these refer to it is only known at run time.',
      needsConfirmation: true,
    },
    keeps: {
      label: `Keep the endpoint's name "${oldName}"`,
      description: `Adds name="${oldName}", so that the deployed endpoint keeps its name and URL.`,
      needsConfirmation: true,
    },
  };
}
