/**
 * Where the user keeps credentials of package indexes → what downloads send: addresses with a user in settings of pip
 * and uv and in requirements files, uv's variables of named indexes, netrc. Nothing of it is ever printed or kept.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';

/** The value of the Authorization header for an address, if there is one. */
export type Authorize = (url: URL) => string | undefined;

/**
 * Reads what the user has.
 *
 * @param root The project: its own uv.toml and `[tool.uv]` count as uv counts them.
 * @param texts Settings that may hold addresses with credentials, the most important first.
 */
export function readCredentials(
  root: string,
  texts: readonly (string | undefined)[],
  env: NodeJS.ProcessEnv,
): Authorize {
  const configured = uvIndexes(root, env);
  const byOrigin = new Map<string, string>();
  const note = (url: URL | null, user: string, password: string) => {
    if (url && user !== '' && !byOrigin.has(url.origin)) byOrigin.set(url.origin, basic(user, password));
  };
  for (const { name, url } of [...namedIndexes(env), ...configured]) {
    const prefix = `UV_INDEX_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
    note(URL.parse(url), env[`${prefix}_USERNAME`] ?? '', env[`${prefix}_PASSWORD`] ?? '');
  }
  const addresses = [
    ...texts.map((text) => expandVariables(text ?? '', env)),
    ...configured.map(({ url }) => url),
  ];
  for (const word of addresses.flatMap((text) => text.match(/https?:\/\/[^\s,"']+/g) ?? [])) {
    const url = URL.parse(word);
    if (url) note(url, decodeURIComponent(url.username), decodeURIComponent(url.password));
  }
  const machines = readNetrc(env);
  return (url) => byOrigin.get(url.origin) ?? machines.get(url.hostname);
}

/** `${TOKEN}` as pip and uv fill it in, in requirements files. */
function expandVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (whole, name: string) => env[name] ?? whole);
}

/** `name=https://…` of UV_INDEX and UV_DEFAULT_INDEX. */
function namedIndexes(env: NodeJS.ProcessEnv): { name: string; url: string }[] {
  const words = [env.UV_DEFAULT_INDEX, env.UV_INDEX].flatMap((value) => (value ?? '').split(/\s+/));
  return words.flatMap((word) => {
    const [, name, url] = /^([\w.-]+)=(https?:.+)$/.exec(word) ?? [];
    return name !== undefined && url !== undefined ? [{ name, url }] : [];
  });
}

/** Indexes of uv's configuration files; a file that uv cannot read is told by uv. */
function uvIndexes(root: string, env: NodeJS.ProcessEnv): { name: string; url: string }[] {
  if (env.UV_NO_CONFIG) return [];
  const home = env.HOME ?? os.homedir();
  const own = env.UV_CONFIG_FILE
    ? [env.UV_CONFIG_FILE]
    : [
        path.join(root, 'uv.toml'),
        path.join(env.XDG_CONFIG_HOME ?? path.join(home, '.config'), 'uv/uv.toml'),
        '/etc/uv/uv.toml',
      ];
  const tables = [
    table(table(readToml(path.join(root, PROJECT_FILES.pyproject)), 'tool'), 'uv'),
    ...own.map(readToml),
  ];
  return tables.flatMap((settings) => [
    ...tablesOf(settings, 'index').map((index) => ({ name: text(index, 'name'), url: text(index, 'url') })),
    ...addressesOf(settings).map((url) => ({ name: '', url })),
    ...addressesOf(table(settings, 'pip')).map((url) => ({ name: '', url })),
  ]);
}

function addressesOf(settings: object): string[] {
  return ['index-url', 'extra-index-url', 'find-links'].flatMap((key) => {
    const value = entry(settings, key);
    return [value].flat().filter((one) => typeof one === 'string');
  });
}

function readToml(file: string): object {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

function table(parent: object, key: string): object {
  const value = entry(parent, key);
  return typeof value === 'object' && value !== null ? value : {};
}

function tablesOf(parent: object, key: string): object[] {
  const value = entry(parent, key);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

function text(parent: object, key: string): string {
  const value = entry(parent, key);
  return typeof value === 'string' ? value : '';
}

function entry(parent: object, key: string): unknown {
  return Object.entries(parent).find(([name]) => name === key)?.[1];
}

/** Host → header, of `machine HOST login USER password WORD`. */
function readNetrc(env: NodeJS.ProcessEnv): Map<string, string> {
  const file = env.NETRC ?? path.join(env.HOME ?? os.homedir(), '.netrc');
  let words: string[];
  try {
    words = readFileSync(file, 'utf8').split(/\s+/);
  } catch {
    // Most users have none, and nobody needs it: an index that wants credentials says so.
    return new Map();
  }
  const found = new Map<string, string>();
  let machine = '';
  let login = '';
  for (const [index, word] of words.entries()) {
    const value = words[index + 1] ?? '';
    if (word === 'machine') [machine, login] = [value, ''];
    else if (word === 'default') machine = '';
    else if (word === 'login') login = value;
    else if (word === 'password' && machine !== '' && !found.has(machine))
      found.set(machine, basic(login, value));
  }
  return found;
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
