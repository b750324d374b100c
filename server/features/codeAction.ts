/** Code actions: the fixes of the findings in a range, and all safe ones of the document together. */
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic as ProtocolDiagnostic,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import type { Fix } from '../../runtime/source/fixes/Fix.ts';
import { fixAll, fixesFor } from '../../runtime/source/fixes/fixesFor.ts';
import type { PlaceContext } from './feature.ts';

/** All safe repairs of a document, for editors that make them on saving. */
const FIX_ALL = `${CodeActionKind.SourceFixAll}.toolkit`;

export const CODE_ACTION_KINDS = [CodeActionKind.QuickFix, FIX_ALL];

/** Answers with nothing to a client that takes commands alone. */
export function codeActions(
  context: PlaceContext,
  { range, context: { only, diagnostics } }: Pick<CodeActionParams, 'range' | 'context'>,
): CodeAction[] {
  const { project, document, client } = context;
  if (!client.capabilities.textDocument?.codeAction?.codeActionLiteralSupport) return [];
  const asks = (kind: string) =>
    only?.some((one) => one === CodeActionKind.Empty || kind === one || kind.startsWith(`${one}.`));
  const actions: CodeAction[] = [];
  if (asks(CodeActionKind.QuickFix) ?? true) {
    const all = project.diagnosticsOf(document.file);
    const near = all.filter((one) => touches(one.range, range));
    // Some editors name the findings of the whole line, wherever in it the cursor stands.
    const named = all.filter(
      (one) => !near.includes(one) && isInLines(one.range, range) && linkedTo(one, diagnostics).length > 0,
    );
    actions.push(...quickFixes(context, [...near, ...named], diagnostics));
  }
  // Not at every move of the cursor: an editor asks for it by name.
  const all = asks(FIX_ALL) ? fixAll(project, document.file) : null;
  if (all) actions.push({ title: all.title, kind: FIX_ALL, edit: workspaceEdit(context, all) });
  return actions;
}

/** The best of each finding first; silencing comes last. */
function quickFixes(
  context: PlaceContext,
  found: readonly Diagnostic[],
  shown: readonly ProtocolDiagnostic[],
): CodeAction[] {
  const actions = new Map<string, CodeAction>();
  for (const finding of found) {
    const linked = linkedTo(finding, shown);
    for (const fix of fixesFor(context.project, finding)) {
      const edit = workspaceEdit(context, fix);
      const key = `${fix.title} ${JSON.stringify(edit)}`;
      const known = actions.get(key);
      // One comment silences all findings of a code in its line.
      if (known) known.diagnostics = [...(known.diagnostics ?? []), ...linked];
      else actions.set(key, asAction(fix, edit, linked));
    }
  }
  const isSilence = ({ title }: CodeAction) => title.startsWith('Silence ');
  const all = [...actions.values()];
  return [...all.filter((action) => !isSilence(action)), ...all.filter(isSilence)];
}

/** A finding as the editor shows it. */
function linkedTo(finding: Diagnostic, shown: readonly ProtocolDiagnostic[]): ProtocolDiagnostic[] {
  return shown.filter(({ code, range }) => code === finding.code && isSame(range, finding.range));
}

function asAction(fix: Fix, edit: WorkspaceEdit, diagnostics: ProtocolDiagnostic[]): CodeAction {
  const action: CodeAction = { title: fix.title, kind: CodeActionKind.QuickFix, edit };
  if (diagnostics.length > 0) action.diagnostics = diagnostics;
  if (fix.preferred) action.isPreferred = true;
  return action;
}

function workspaceEdit({ client, uriOf, versionOf }: PlaceContext, { edits }: Fix): WorkspaceEdit {
  if (client.capabilities.workspace?.workspaceEdit?.documentChanges) {
    return {
      documentChanges: [...edits].map(([file, changes]) => ({
        textDocument: { uri: uriOf(file), version: versionOf(file) },
        edits: [...changes],
      })),
    };
  }
  return { changes: Object.fromEntries([...edits].map(([file, changes]) => [uriOf(file), [...changes]])) };
}

function touches(a: Range, b: Range): boolean {
  return isAtOrBefore(a.start, b.end) && isAtOrBefore(b.start, a.end);
}

function isInLines(a: Range, b: Range): boolean {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

function isSame(a: Range, b: Range): boolean {
  return isAt(a.start, b.start) && isAt(a.end, b.end);
}

function isAt(a: Range['start'], b: Range['start']): boolean {
  return a.line === b.line && a.character === b.character;
}

function isAtOrBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}
