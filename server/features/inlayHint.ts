/** `textDocument/inlayHint`: defaults of arguments that are not given, and the quota after `workers`. */
import { type InlayHint, InlayHintKind, type InlayHintParams } from 'vscode-languageserver';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import { maxWorkers } from '../../runtime/source/declarations/quotaShares.ts';
import { declarationsIn } from './declarationsIn.ts';
import { workersOfAll } from './declared.ts';
import type { DocumentContext } from './feature.ts';

/** Hints for the declarations in a range. */
export function inlayHints(
  context: DocumentContext,
  { range: { start, end } }: InlayHintParams,
): InlayHint[] {
  return declarationsIn(context)
    .filter(({ call: { range } }) => range.start.line <= end.line && range.end.line >= start.line)
    .flatMap((declaration) => [...workersHint(context, declaration), ...defaultsHint(context, declaration)])
    .filter(({ position: { line } }) => line >= start.line && line <= end.line);
}

function workersHint(context: DocumentContext, declaration: Declaration): InlayHint[] {
  const { given, workers } = declaration;
  // Workers from `**settings` are not visible in the call.
  if (
    !given.workers ||
    workers.state !== 'known' ||
    given.workers.keywordRange === given.workers.expression.range
  )
    return [];
  const { quota } = context.project.config;
  const sum = workersOfAll(context.project.index);
  return [
    {
      position: given.workers.expression.range.end,
      label: `${sum}/${quota}`,
      paddingLeft: true,
      tooltip: quotaText(context, declaration),
    },
  ];
}

function defaultsHint(context: DocumentContext, declaration: Declaration): InlayHint[] {
  const { gpu, cpu, workers, idleTimeout, call, form, kind, command } = declaration;
  const defaults: string[] = [];
  if (gpu.state === 'absent' && cpu.state === 'absent') defaults.push(`gpu: ${DEFAULTS.gpu}`);
  if (workers.state === 'absent') defaults.push(`workers: ${DEFAULTS.workersMin}–${DEFAULTS.workersMax}`);
  if (idleTimeout.state === 'absent') defaults.push(`idle ${DEFAULTS.idleTimeoutSeconds} s`);
  // A table without a command is not an endpoint yet.
  if (defaults.length === 0 || (form === 'table' && command.state === 'absent')) return [];
  const { start, end } = call.range;
  const isOneLine = form !== 'table' && start.line === end.line;
  const lines = [`Defaults of this ${kind === 'queue' ? 'queue-based' : kind} endpoint.`];
  if (workers.state === 'absent') lines.push(quotaText(context, declaration));
  return [
    {
      position: isOneLine ? { line: end.line, character: end.character - 1 } : end,
      label: defaults.join(', '),
      kind: InlayHintKind.Parameter,
      paddingLeft: true,
      tooltip: lines.join('\n'),
    },
  ];
}

/** The share of one declaration, and the total of all. */
function quotaText({ project }: DocumentContext, declaration: Declaration): string {
  const { quota } = project.config;
  const sum = workersOfAll(project.index);
  const share = maxWorkers(declaration);
  const over = sum > quota ? `, ${sum - quota} over the quota` : '';
  return `${share} of ${quota} workers; all endpoints together take ${sum}${over}.`;
}
