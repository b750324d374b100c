/** pyproject.toml and `.python-version` → the project's configuration. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { ToolkitError } from '../contract/errors.ts';
import { PROJECT_LIMITS } from '../contract/limits.ts';
import { isValidName, NAME_RULE, PROJECT_FILES } from '../contract/names.ts';
import type { ProjectConfig } from './reading.ts';
import { ANY_PYTHON, SUPPORTED_PYTHONS } from './requiresPython.ts';

/** The keys of `[tool.toolkit]`. */
const KEYS = ['app', 'python', 'quota', 'endpoints'];
const OLDEST_PYTHON = SUPPORTED_PYTHONS[0]!;

/**
 * Reads a root's configuration, with defaults applied.
 *
 * @param pyproject - The text of pyproject.toml, null when there is none. Read from disk when omitted.
 * @throws ToolkitError PROJECT_CONFIG when pyproject.toml cannot be read or a value has the wrong form.
 */
export function readProjectConfig(root: string, pyproject = pyprojectText(root)): ProjectConfig {
  const document = parsePyproject(pyproject);
  const project = table(document, 'project');
  const toolkit = table(table(document, 'tool'), 'toolkit', '[tool.toolkit]');
  refuseUnknownKeys(toolkit);
  return {
    app: appName(root, project, toolkit),
    ...targetPython(root, project, toolkit),
    quota: quota(toolkit),
    dependencies: strings(project, 'dependencies', '[project] dependencies'),
  };
}

/** A misspelled key would have no effect. */
function refuseUnknownKeys(toolkit: object): void {
  const unknown = Object.keys(toolkit).find((key) => !KEYS.includes(key));
  if (unknown === undefined) return;
  throw wrong(`[tool.toolkit] has no key "${unknown}".`, `Its keys are ${KEYS.join(', ')}.`);
}

/**
 * The tables of a root's pyproject.toml; empty when there is none.
 *
 * @throws ToolkitError PROJECT_CONFIG when it cannot be read.
 */
export function readPyproject(root: string): object {
  return parsePyproject(pyprojectText(root));
}

/** The configuration of a root whose pyproject.toml is invalid. */
export function defaultConfig(root: string): ProjectConfig {
  return {
    app: appName(root, {}, {}),
    ...ANY_PYTHON,
    isPythonOfFile: false,
    quota: PROJECT_LIMITS.workersQuota,
    dependencies: [],
  };
}

/** The text of a root's pyproject.toml without a byte order mark; null when there is none. */
export function pyprojectText(root: string): string | null {
  return readConfigFile(root, PROJECT_FILES.pyproject)?.replace(/^\uFEFF/, '') ?? null;
}

function parsePyproject(text: string | null): object {
  try {
    return text === null ? {} : parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const reason = cause.message.replace(/^Invalid TOML document: /, '').split('\n', 1)[0]!;
    throw wrong(`line ${cause.line}, column ${cause.column}: ${reason}.`, 'Fix that line.', cause);
  }
}

/** Whether a pyproject.toml has a `[tool.toolkit]` table. In invalid TOML, only the headings are searched. */
export function configuresToolkit(text: string): boolean {
  if (!/\btoolkit\b/.test(text)) return false;
  try {
    return entry(table(parse(text.replace(/^\uFEFF/, '')), 'tool'), 'toolkit') !== undefined;
  } catch {
    return /^\s*\[\[?\s*tool\s*\.\s*toolkit\s*[.\]]/m.test(text);
  }
}

/** Null when there is no such file. */
function readConfigFile(root: string, name: string): string | null {
  const file = path.join(root, name);
  if (!existsSync(file)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (cause) {
    if (cause instanceof TypeError)
      throw new ToolkitError('PROJECT_CONFIG', `${file} is not UTF-8.`, { hint: 'Save it as UTF-8.', cause });
    throw new ToolkitError('PROJECT_CONFIG', `${file} cannot be read.`, {
      hint: 'Check that it is a file and that you have permission to read it.',
      cause,
    });
  }
}

/**
 * App names are part of addresses, so a name taken from the folder or project is made valid. A configured
 * name must be valid.
 */
function appName(root: string, project: object, toolkit: object): string {
  const given = text(toolkit, 'app', '[tool.toolkit] app');
  if (given !== null) {
    if (!isValidName(given)) {
      throw wrong(`[tool.toolkit] app is "${given}", which is not a valid name.`, `Use ${NAME_RULE}.`);
    }
    return given;
  }
  const derived = text(project, 'name', '[project] name') ?? path.basename(path.resolve(root));
  const fitting = derived.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return fitting.slice(0, PROJECT_LIMITS.nameLength) || 'app';
}

function targetPython(root: string, project: object, toolkit: object) {
  const given = requiresPython(project);
  const configured = pythonVersion(toolkit);
  const ofFile = configured === null ? pythonVersionFile(root) : null;
  return {
    python: configured ?? ofFile,
    isPythonOfFile: ofFile !== null,
    requiresPython: given?.trim() || null,
  };
}

function requiresPython(project: object): string | null {
  const given = entry(project, 'requires-python') ?? null;
  if (given === null || typeof given === 'string') return given;
  throw wrong('[project] requires-python must be a string.', 'For example: requires-python = ">=3.11".');
}

/** The minor version: `3.11` for `3.11` and `3.11.7`. */
function pythonVersion(toolkit: object): string | null {
  const given = text(toolkit, 'python', '[tool.toolkit] python');
  if (given === null) return null;
  const minor = /^(3\.\d+)(?:\.\d+)?$/.exec(given)?.[1];
  if (minor && Number(minor.slice(2)) >= Number(OLDEST_PYTHON.slice(2))) return minor;
  throw wrong(
    `[tool.toolkit] python is "${given}", ${minor ? `but workers need Python ${OLDEST_PYTHON} or newer` : 'which is not a Python version'}.`,
    'For example: python = "3.11".',
  );
}

/** `3.11` for `3.11`, `3.11.7` or `cpython-3.11.7` in the first line; null when it names no version of CPython. */
function pythonVersionFile(root: string): string | null {
  const text = readConfigFile(root, PROJECT_FILES.pythonVersion) ?? '';
  const first = text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').trim())
    .find((line) => line !== '');
  return /^(?:c?python[-@]?)?(3\.\d+)(?:[.+-]|rc|[ab]\d|$)/i.exec(first ?? '')?.[1] ?? null;
}

function quota(toolkit: object): number {
  const value = entry(toolkit, 'quota');
  if (value === undefined) return PROJECT_LIMITS.workersQuota;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw wrong('[tool.toolkit] quota must be a whole number, 0 or more.', 'For example: quota = 30.');
}

function strings(parent: object, key: string, label: string): string[] {
  const value = entry(parent, key) ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw wrong(`${label} must be a list of strings.`, `For example: ${key} = ["requests"].`);
}

function text(parent: object, key: string, label: string): string | null {
  const value = entry(parent, key);
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(
    `${label} must be a string that is not empty.`,
    `For example: ${key} = "${key === 'python' ? '3.11' : 'my-app'}".`,
  );
}

function table(parent: object, key: string, label = `[${key}]`): object {
  const value = entry(parent, key);
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrong(`${label} must be a table.`, `Write it as a table that begins with ${label}.`);
}

function entry(parent: object, key: string): unknown {
  return Object.entries(parent).find(([name]) => name === key)?.[1];
}

function wrong(sentence: string, hint: string, cause?: unknown): ToolkitError {
  return new ToolkitError('PROJECT_CONFIG', `${PROJECT_FILES.pyproject}: ${sentence}`, { hint, cause });
}
