/** Where a command's app, environment, platform and key come from: flag > environment > `.env` > default. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { ToolkitError } from '../contract/errors.ts';
import { DEFAULTS } from '../contract/limits.ts';
import { isValidName, NAME_RULE, PROJECT_FILES } from '../contract/names.ts';

/** The variables that steer the toolkit, each from the first place that sets it. */
export interface Settings {
  /** The process's environment over the project's `.env`. */
  variables: Record<string, string>;
  /** What `.env` alone sets. */
  dotenv: Record<string, string>;
  environment: NodeJS.ProcessEnv;
  /** TOOLKIT_HOME, absolute. */
  toolkitHome: string;
}

/** Reads `.env` of a project; a missing file sets nothing. Empty values count as not set. */
export function readSettings(root: string | null, environment: NodeJS.ProcessEnv): Settings {
  const dotenv = root === null ? {} : readDotenv(path.join(root, PROJECT_FILES.dotenv));
  const variables: Record<string, string> = { ...dotenv };
  for (const [name, value] of Object.entries(environment)) if (value) variables[name] = value;
  return { variables, dotenv, environment, toolkitHome: toolkitHome(environment) };
}

/** TOOLKIT_HOME, default `~/.toolkit`. */
function toolkitHome(environment: NodeJS.ProcessEnv): string {
  return path.resolve(environment['TOOLKIT_HOME'] || path.join(homedir(), '.toolkit'));
}

function readDotenv(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new ToolkitError('PROJECT_CONFIG', `${file} cannot be read (${code}).`, {
      hint: 'Give yourself the right to read it, or remove it.',
      cause: error,
    });
  }
  const parsed = parseEnv(text.replace(/^\uFEFF/, ''));
  return Object.fromEntries(Object.entries(parsed).filter((entry): entry is [string, string] => !!entry[1]));
}

/** App and environment of a command. */
export interface Context {
  app: string;
  environment: string;
}

/** Resolves app and environment; refuses names that no platform takes. */
export function resolveContext(
  settings: Settings,
  flags: { app: string | null; env: string | null },
  projectApp: string,
): Context {
  const app = flags.app ?? settings.variables['TOOLKIT_APP'] ?? projectApp;
  const environment = flags.env ?? settings.variables['TOOLKIT_ENV'] ?? DEFAULTS.environment;
  requireName('app', app, 'Set [tool.toolkit] app in pyproject.toml, or give --app NAME.');
  requireName('environment', environment, 'Give another --env NAME.');
  return { app, environment };
}

function requireName(what: string, name: string, hint: string): void {
  if (isValidName(name)) return;
  throw new ToolkitError('PROJECT_CONFIG', `"${name}" is no name of an ${what}: it must be ${NAME_RULE}.`, {
    hint,
  });
}
