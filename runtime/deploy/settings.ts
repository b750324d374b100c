/** Resolves a command's settings. Precedence: flag, environment, `.env`, default. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { ToolkitError } from '../contract/errors.ts';
import { DEFAULTS } from '../contract/limits.ts';
import { isValidName, NAME_RULE, PROJECT_FILES } from '../contract/names.ts';
import { toolkitHome } from '../source/toolkitHome.ts';

/** The variables that configure the toolkit, each from the first source that sets it. */
export interface Settings {
  /** The project's `.env`, overridden by the process's environment. */
  variables: Record<string, string>;
  /** Only the variables from `.env`. */
  dotenv: Record<string, string>;
  environment: NodeJS.ProcessEnv;
  /** Platform address → key, from the editor that started the toolkit. */
  editorKeys: Readonly<Record<string, string>>;
  /** TOOLKIT_HOME, absolute. */
  toolkitHome: string;
}

/** Reads a project's `.env`, if there is one, and the environment. Empty values count as not set. */
export function readSettings(
  root: string | null,
  environment: NodeJS.ProcessEnv,
  editorKeys: Settings['editorKeys'] = {},
): Settings {
  const dotenv = root === null ? {} : readDotenv(path.join(root, PROJECT_FILES.dotenv));
  const variables: Record<string, string> = { ...dotenv };
  for (const [name, value] of Object.entries(environment)) if (value) variables[name] = value;
  return { variables, dotenv, environment, editorKeys, toolkitHome: toolkitHome(environment) };
}

function readDotenv(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new ToolkitError('PROJECT_CONFIG', `${file} cannot be read (${code}).`, {
      hint: 'Make it readable, or move it out of the project.',
      cause: error,
    });
  }
  const parsed = parseEnv(text.replace(/^\uFEFF/, ''));
  return Object.fromEntries(Object.entries(parsed).filter((entry): entry is [string, string] => !!entry[1]));
}

/** The app and environment of a command. */
export interface Context {
  app: string;
  environment: string;
}

/**
 * Resolves the app and environment.
 *
 * @throws ToolkitError PROJECT_CONFIG for an invalid name.
 */
export function resolveContext(
  settings: Settings,
  flags: { app: string | null; env: string | null },
  projectApp: string,
): Context {
  const { TOOLKIT_APP, TOOLKIT_ENV } = settings.variables;
  const app = flags.app ?? TOOLKIT_APP ?? projectApp;
  const environment = flags.env ?? TOOLKIT_ENV ?? DEFAULTS.environment;
  requireName('app', app, flags.app === null && TOOLKIT_APP ? 'TOOLKIT_APP' : '--app');
  requireName('environment', environment, flags.env === null && TOOLKIT_ENV ? 'TOOLKIT_ENV' : '--env');
  return { app, environment };
}

/** Checks names from flags and variables. The project reader already checks the name in pyproject.toml. */
function requireName(what: string, name: string, source: string): void {
  if (isValidName(name)) return;
  throw new ToolkitError('PROJECT_CONFIG', `"${name}" is not a valid ${what} name: use ${NAME_RULE}.`, {
    hint: source.startsWith('--')
      ? `Choose another name with ${source} NAME.`
      : `Set ${source} to another name, or unset it.`,
  });
}
