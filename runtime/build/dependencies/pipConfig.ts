/**
 * Reads pip's settings from its files as pip does (pip.pypa.io/en/stable/topics/configuration). Running pip instead would take
 * most of a second.
 */
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Options in `install` override those in `global`. */
const SECTIONS = ['global', 'install'];
const FILE = process.platform === 'win32' ? 'pip.ini' : 'pip.conf';

/**
 * The options for `pip install`, by their long names. Does not read environment variables.
 *
 * @param python The interpreter, since a virtual environment has its own file.
 */
export function readPipConfig(python: string, env: NodeJS.ProcessEnv): Map<string, string> {
  if (env.PIP_CONFIG_FILE === os.devNull) return new Map();
  const files = pipConfigFiles(python, env).map(readSections);
  return new Map(SECTIONS.flatMap((section) => files.flatMap((file) => [...(file.get(section) ?? [])])));
}

/** Later files override earlier ones. */
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

/** Section → options, as Python's configparser reads them. Ignores lines that configparser would refuse. */
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
      // Indented lines continue a value.
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
