/**
 * pip's own settings, read from its files as pip reads them (pip.pypa.io/en/stable/topics/configuration): asking pip costs the
 * start of Python and of pip, most of a second.
 */
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What stands in `install` wins over what stands there for all commands. */
const SECTIONS = ['global', 'install'];
const FILE = process.platform === 'win32' ? 'pip.ini' : 'pip.conf';

/**
 * The options that count for `pip install`, by their long names; those of variables are not among them.
 *
 * @param python The interpreter whose pip would read them: a virtual environment has a file of its own.
 */
export function readPipConfig(python: string, env: NodeJS.ProcessEnv): Map<string, string> {
  if (env.PIP_CONFIG_FILE === os.devNull) return new Map();
  const files = pipConfigFiles(python, env).map(readSections);
  return new Map(SECTIONS.flatMap((section) => files.flatMap((file) => [...(file.get(section) ?? [])])));
}

/** Later files win. */
function pipConfigFiles(python: string, env: NodeJS.ProcessEnv): string[] {
  const named = env.PIP_CONFIG_FILE;
  const ofUser = named && existsSync(named) ? [] : userFolders(env);
  const folders = [...systemFolders(env), ...ofUser, path.dirname(path.dirname(python))];
  return [...folders.map((folder) => path.join(folder, FILE)), ...(named ? [named] : [])];
}

function systemFolders(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'win32') return [path.join(env.PROGRAMDATA ?? 'C:\\ProgramData', 'pip')];
  if (process.platform === 'darwin') return ['/Library/Application Support/pip'];
  const shared = (env.XDG_CONFIG_DIRS || '/etc/xdg').split(path.delimiter);
  return [...shared.map((folder) => path.join(folder, 'pip')), '/etc'];
}

function userFolders(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME ?? os.homedir();
  if (process.platform === 'win32') return [path.join(home, 'pip'), path.join(env.APPDATA ?? home, 'pip')];
  const ofSystem = path.join(home, 'Library/Application Support/pip');
  const own =
    process.platform === 'darwin' && existsSync(ofSystem)
      ? ofSystem
      : path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'pip');
  return [path.join(home, '.pip'), own];
}

/** Section → options, as Python's configparser reads them; lines that it refuses are passed over. */
function readSections(file: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let options = new Map<string, string>();
  let last: string | null = null;
  for (const line of linesOf(file)) {
    const text = line.trim();
    if (text === '' || /^[#;]/.test(text)) continue;
    const header = /^\[([^\]]+)\]/.exec(text);
    const option = /^(.*?)\s*[=:]\s*(.*)$/.exec(text);
    if (/^\s/.test(line) && last !== null) {
      // A value goes on in lines that are indented.
      options.set(last, `${options.get(last)} ${text}`.trim());
    } else if (header) {
      options = sections.get(header[1]!) ?? new Map();
      sections.set(header[1]!, options);
      last = null;
    } else if (option) {
      last = option[1]!.toLowerCase().replaceAll('_', '-').replace(/^--/, '');
      options.set(last, option[2]!);
    }
  }
  return sections;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    // Most users have none of these files.
    return [];
  }
}
