/** `toolkit check`: every finding of the project, without running it. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { count } from '../format.ts';
import { formatDiagnostics, formatTally, tally } from '../formatDiagnostics.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import type { Handler, Session } from '../session.ts';

export const handle: Handler = async ({ args, flags, session }) => {
  const { reading } = await openProject(session);
  const wanted = args.map((argument) => within(reading.root, argument, session));
  const shown = (file: string): boolean =>
    wanted.length === 0 || wanted.some((path) => path === '' || file === path || file.startsWith(`${path}/`));
  const diagnostics = reading.diagnostics.filter(({ file }) => shown(file));
  const endpoints = reading.endpoints.filter(({ file }) => shown(file)).length;
  const totals = tally(diagnostics);
  const summary = { files: reading.files, endpoints, ...totals };

  const verdict =
    totals.errors + totals.warnings + totals.hints === 0 ? paint.green('No problems') : formatTally(totals);
  const text = [
    ...(diagnostics.length > 0 ? [formatDiagnostics(diagnostics), ''] : []),
    `${verdict} in ${count(endpoints, 'endpoint')}, ${count(reading.files, 'file')} looked at.`,
  ].join('\n');
  session.result({ diagnostics, summary }, text);
  return totals.errors > 0 || (flags['strict'] === true && totals.warnings > 0) ? 1 : 0;
};

/** A path argument relative to the root, with `/`. */
function within(root: string, argument: string, session: Session): string {
  const absolute = path.resolve(session.cwd, argument);
  if (!statSync(absolute, { throwIfNoEntry: false })) {
    throw new ToolkitError('USAGE', `${argument} does not exist.`, {
      hint: 'Name files or folders of the project.',
    });
  }
  const relative = path.relative(root, absolute);
  if (relative.startsWith('..')) {
    throw new ToolkitError('USAGE', `${argument} is outside the project ${root}.`, {
      hint: 'Name its own root with --project DIR.',
    });
  }
  return relative.replaceAll(path.sep, '/');
}
