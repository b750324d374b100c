/** `toolkit check`: reports every finding in the project without running its code. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { count } from '../format.ts';
import { formatDiagnostics, formatTally, tally } from '../formatDiagnostics.ts';
import { formatGithub } from '../formatGithub.ts';
import { formatSarif } from '../formatSarif.ts';
import { openProject, projectRoot } from '../openProject.ts';
import { paint } from '../paint.ts';
import { type Handler, type Session, textFlag } from '../session.ts';

export const handle: Handler = async ({ args, flags, session }) => {
  const format = textFlag(flags, 'format') ?? 'text';
  if (format !== 'text' && session.flags.json) {
    throw new ToolkitError('USAGE', `--json and --format ${format} cannot be combined.`, {
      hint: 'Remove one of them.',
    });
  }
  const root = projectRoot(session);
  const wanted = args.map((argument) => within(root, argument, session));
  const { reading } = await openProject(session, wanted);
  const shown = (file: string): boolean =>
    wanted.length === 0 || wanted.some((path) => path === '' || file === path || file.startsWith(`${path}/`));
  const diagnostics = reading.diagnostics.filter(({ file }) => shown(file));
  const endpoints = reading.endpoints.filter(({ file }) => shown(file)).length;
  const totals = tally(diagnostics);
  const summary = { files: reading.files, endpoints, ...totals };

  const failed = totals.errors > 0 || (flags['strict'] === true && totals.warnings > 0) ? 1 : 0;
  if (format !== 'text') {
    // Programs that read these formats expect paths relative to the repository's root.
    const prefix = repositoryPrefix(reading.root, session);
    session.result(
      null,
      format === 'sarif' ? formatSarif(diagnostics, prefix) : formatGithub(diagnostics, prefix),
    );
    return failed;
  }
  const verdict =
    totals.errors + totals.warnings + totals.hints === 0 ? paint.green('No findings') : formatTally(totals);
  const text = [
    ...(diagnostics.length > 0 ? [formatDiagnostics(diagnostics, reading.textOf, process.stdout), ''] : []),
    `${verdict} in ${count(endpoints, 'endpoint')}, ${count(reading.files, 'file')} checked.`,
  ].join('\n');
  session.result({ diagnostics, summary }, text);
  return failed;
};

/** Path from the repository (GITHUB_WORKSPACE, else the working directory) to the project; empty or ending in `/`. */
function repositoryPrefix(root: string, session: Session): string {
  const repository = session.env['GITHUB_WORKSPACE'] || session.cwd;
  const relative = path.relative(repository, root).replaceAll(path.sep, '/');
  return relative === '' || relative.startsWith('..') ? '' : `${relative}/`;
}

/** A path argument, relative to the root and with `/` as the separator. */
function within(root: string, argument: string, session: Session): string {
  const absolute = path.resolve(session.cwd, argument);
  if (!statSync(absolute, { throwIfNoEntry: false })) {
    throw new ToolkitError('USAGE', `${argument} does not exist.`, {
      hint: 'Pass files or folders of the project.',
    });
  }
  const relative = path.relative(root, absolute);
  if (relative.startsWith('..')) {
    throw new ToolkitError('USAGE', `${argument} is outside the project ${root}.`, {
      hint: 'Pass the root of its own project with --project DIR.',
    });
  }
  return relative.replaceAll(path.sep, '/');
}
