/** Code actions: fixes for the findings in a range, and one action with all safe fixes of the document. */
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic as ProtocolDiagnostic,
  type Range,
} from 'vscode-languageserver';
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import { fixAll, fixesFor } from '../../runtime/source/findings/fixesFor.ts';
import { comparePositions } from '../../runtime/source/syntax/range.ts';
import type { DocumentContext } from './feature.ts';
import { workspaceEdit } from './workspaceEdit.ts';

/** All safe fixes of a document, for editors that apply them on save. */
const FIX_ALL = `${CodeActionKind.SourceFixAll}.toolkit`;

export const CODE_ACTION_KINDS = [CodeActionKind.QuickFix, FIX_ALL];

/** The finding that an action fixes. Sent with the action until its edit is requested. */
interface ActionData extends Pick<Diagnostic, 'code' | 'range'> {
  uri: string;
}

/** Empty for a client that only supports commands. */
export function codeActions(
  context: DocumentContext,
  { range, context: { only, diagnostics } }: CodeActionParams,
): CodeAction[] {
  const { project, document, client } = context;
  if (!client.capabilities.textDocument?.codeAction?.codeActionLiteralSupport) return [];
  const asks = (kind: string) =>
    only?.some((one) => one === CodeActionKind.Empty || kind === one || kind.startsWith(`${one}.`));
  const actions: CodeAction[] = [];
  if (asks(CodeActionKind.QuickFix) ?? true) {
    const all = project.diagnosticsOf(document.file);
    const near = all.filter((one) => touches(one.range, range));
    // Some editors send the findings of the whole line, wherever in it the cursor is.
    const named = all.filter(
      (one) => !near.includes(one) && isInLines(one.range, range) && linkedTo(one, diagnostics).length > 0,
    );
    actions.push(...quickFixes(context, [...near, ...named], diagnostics));
  }
  // Computed at once: editors request it by kind, not at every cursor move, and scripts apply it without resolving.
  const all = asks(FIX_ALL) ? fixAll(project, document.file) : null;
  if (all) actions.push({ title: all.title, kind: FIX_ALL, edit: workspaceEdit(context, all.edits) });
  return actions;
}

/** Adds the edit for the current texts, unless the finding is gone. */
export function resolveCodeAction(context: DocumentContext, action: CodeAction): CodeAction {
  const { project, document } = context;
  const { code, range } = action.data as ActionData;
  const fix = project
    .diagnosticsOf(document.file)
    .filter((found) => found.code === code && isSame(found.range, range))
    .flatMap((found) => fixesFor(project, found))
    .find(({ title }) => title === action.title);
  return fix ? { ...action, edit: workspaceEdit(context, fix.edits) } : action;
}

/** The best fix of each finding first; silencing comes last. */
function quickFixes(
  context: DocumentContext,
  found: readonly Diagnostic[],
  shown: readonly ProtocolDiagnostic[],
): CodeAction[] {
  const isLazy = resolvesEdits(context);
  const actions = new Map<string, CodeAction>();
  for (const finding of found) {
    const linked = linkedTo(finding, shown);
    const data: ActionData = { uri: context.document.uri, code: finding.code, range: finding.range };
    for (const fix of fixesFor(context.project, finding)) {
      const key = JSON.stringify([fix.title, ...fix.edits]);
      const known = actions.get(key);
      // One comment silences all findings of a code in its line.
      const diagnostics = [...(known?.diagnostics ?? []), ...linked];
      actions.set(key, {
        title: fix.title,
        kind: CodeActionKind.QuickFix,
        ...(diagnostics.length > 0 && { diagnostics }),
        ...(fix.preferred && { isPreferred: true }),
        ...(isLazy ? { data } : { edit: workspaceEdit(context, fix.edits) }),
      });
    }
  }
  const silences = ({ title }: CodeAction) => Number(title.startsWith('Silence '));
  return [...actions.values()].toSorted((a, b) => silences(a) - silences(b));
}

function resolvesEdits({ client }: DocumentContext): boolean {
  const { resolveSupport, dataSupport } = client.capabilities.textDocument?.codeAction ?? {};
  return dataSupport === true && resolveSupport?.properties.includes('edit') === true;
}

/** The shown diagnostics of a finding. */
function linkedTo(finding: Diagnostic, shown: readonly ProtocolDiagnostic[]): ProtocolDiagnostic[] {
  return shown.filter(({ code, range }) => code === finding.code && isSame(range, finding.range));
}

function touches(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}

function isInLines(a: Range, b: Range): boolean {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

function isSame(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.start) === 0 && comparePositions(a.end, b.end) === 0;
}
