/** `toolkit init`: creates a project from a template. Contacts no platform, and asks before it overwrites a file. */
import { existsSync } from 'node:fs';
import { rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asWriteError, makeFolder } from '../../build/fileErrors.ts';
import { shellWord } from '../../contract/curlCommand.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_LIMITS } from '../../contract/limits.ts';
import { isValidName, NAME_RULE } from '../../contract/names.ts';
import { askText } from '../ask.ts';
import { paint } from '../paint.ts';
import { type Handler, type Session, textFlag } from '../session.ts';

/** Template → path → text; inlined by the bundler. */
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
      `${paint.yellow('note')}: "${folder}" is not a valid app name, so the app is named "${name}" in pyproject.toml. In names, use ${NAME_RULE}.`,
    );
  const next = [
    ...(root === session.cwd ? [] : [`cd ${shellWord(path.relative(session.cwd, root) || root)}`]),
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

/** Writes all files. An interrupt removes the new ones. */
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
    throw new ToolkitError('INTERRUPTED', 'Interrupted; the new files were removed.');
  }
}

/** Writes one file. A folder at its path, or a file at its folder's path, is an error for the user to resolve. */
async function write(target: string, text: string): Promise<void> {
  try {
    await makeFolder(path.dirname(target));
    await writeFile(target, text);
  } catch (error) {
    throw asWriteError(error, target);
  }
}

function noName(message: string): ToolkitError {
  return new ToolkitError('USAGE', message, {
    hint: 'Run "toolkit init NAME", or "toolkit init ." for this folder.',
  });
}

async function askName(session: Session): Promise<string> {
  if (!session.interactive) throw noName('init needs a project name.');
  return askText(
    'What is the project called?',
    (text) => (text === '.' || isValidName(path.basename(text)) ? undefined : `Use ${NAME_RULE}.`),
    session.signal,
  );
}

/** The app's name for an existing folder: the folder's name, with invalid characters replaced. */
function usableName(root: string): string {
  const name = path.basename(root);
  if (isValidName(name)) return name;
  const repaired = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, PROJECT_LIMITS.nameLength);
  return isValidName(repaired) ? repaired : 'app';
}

/** The app's name for a new folder: the folder's name, which must be valid. */
function projectName(root: string): string {
  const name = path.basename(root);
  if (isValidName(name)) return name;
  throw new ToolkitError('USAGE', `"${name}" is not a valid project name: use ${NAME_RULE}.`, {
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
