/** `toolkit init`: a project from a template; touches no cloud resource and overwrites nothing unasked. */
import { existsSync } from 'node:fs';
import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asWriteError } from '../../build/fileErrors.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_LIMITS } from '../../contract/limits.ts';
import { isValidName, NAME_RULE } from '../../contract/names.ts';
import { askText } from '../ask.ts';
import { paint } from '../paint.ts';
import { type Handler, type Session, textFlag } from '../session.ts';

/** Template → path → text; the build puts them here. */
declare const TEMPLATES: Record<string, Record<string, string>>;

export const handle: Handler = async ({ args, flags, session }) => {
  const wanted = args[0] ?? (await askName(session));
  if (wanted === '') throw noName('The project name is empty.');
  const root = path.resolve(session.cwd, wanted);
  const name = root === session.cwd ? usableName(root) : projectName(root);
  const files = readTemplate(textFlag(flags, 'template') ?? 'default', name);
  const conflicts = Object.keys(files).filter((file) => existsSync(path.join(root, file)));
  if (conflicts.length > 0 && flags['force'] !== true) await confirmOverwrite(session, root, conflicts);

  await writeAll(root, files, session.signal);
  const folder = path.basename(root);
  if (name !== folder)
    session.note(
      `${paint.yellow('note')}: "${folder}" is no app name, so the app is called "${name}" (pyproject.toml); it may be ${NAME_RULE}.`,
    );
  const next = [
    ...(root === session.cwd ? [] : [`cd ${path.relative(session.cwd, root) || root}`]),
    'toolkit check',
    'toolkit deploy',
  ];
  session.result(
    { project: root, files: Object.keys(files), next },
    [
      `Created ${paint.bold(name)} in ${root}`,
      ...Object.keys(files).map((file) => `  ${file}`),
      '',
      'Next:',
      ...next.map((line) => `  ${paint.cyan(line)}`),
    ].join('\n'),
  );
};

/** All of the files; an interrupt takes back those that were not there before. */
async function writeAll(root: string, files: Record<string, string>, signal: AbortSignal): Promise<void> {
  const made: string[] = [];
  const hadRoot = existsSync(root);
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(root, file);
    if (!existsSync(target)) made.push(target);
    await write(target, text);
    if (!signal.aborted) continue;
    for (const path of made) await rm(path, { force: true });
    if (!hadRoot) await rmdir(root).catch(() => {});
    throw new ToolkitError('INTERRUPTED', 'Interrupted; the new files were removed again.');
  }
}

/** A file where a folder should be, or the other way round, is the user's to move. */
async function write(target: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  } catch (error) {
    throw asWriteError(error, target);
  }
}

function noName(message: string): ToolkitError {
  return new ToolkitError('USAGE', message, {
    hint: 'Type "toolkit init NAME", or "toolkit init ." for this folder.',
  });
}

async function askName(session: Session): Promise<string> {
  if (!session.interactive) throw noName('init needs a project name.');
  return askText(
    'What is the project called?',
    (text) => (text === '.' || isValidName(path.basename(text)) ? undefined : `A name is ${NAME_RULE}.`),
    session.signal,
  );
}

/** The app's name for a folder that is there already: its own, mended where it is no name. */
function usableName(root: string): string {
  const name = path.basename(root);
  if (isValidName(name)) return name;
  const mended = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, PROJECT_LIMITS.nameLength);
  return isValidName(mended) ? mended : 'app';
}

/** The app's name for a new folder: the folder's. */
function projectName(root: string): string {
  const name = path.basename(root);
  if (isValidName(name)) return name;
  throw new ToolkitError('USAGE', `"${name}" is not a project name: it must be ${NAME_RULE}.`, {
    hint: 'Choose another name or folder.',
  });
}

function readTemplate(template: string, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(TEMPLATES[template] ?? {}).map(([file, text]) => [
      file,
      text.replaceAll('{{name}}', name),
    ]),
  );
}

async function confirmOverwrite(session: Session, root: string, conflicts: string[]): Promise<void> {
  const listed = conflicts.join(', ');
  if (await session.confirm?.(`${root} has ${listed}. Overwrite?`)) return;
  throw new ToolkitError('FILES_EXIST', `${root} already has ${listed}; nothing was written.`, {
    hint: 'Add --force to overwrite them, or choose another folder.',
  });
}
