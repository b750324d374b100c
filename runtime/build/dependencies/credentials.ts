/**
 * The user's credentials for package indexes → the header that downloads send. Credentials come from addresses with a user in
 * the settings of pip and uv and in requirements files, from uv's variables for named indexes, netrc and the keyring. They are
 * never printed or stored.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';
import { expandVariables } from '../../source/environment/expandVariables.ts';
import type { AskKeyring } from './keyring.ts';

/** Returns the value of the Authorization header for an address, if there are credentials. */
export type Authorize = (url: URL) => Promise<string | undefined>;

/** A user of an index. The password can be empty. */
interface Login {
  /** Address of the index. */
  url: URL;
  user: string;
  password: string;
}

/**
 * Reads the user's credentials.
 *
 * @param root The project's root. Its uv.toml and `[tool.uv]` apply as they do for uv.
 * @param texts Settings that can contain addresses with credentials; earlier ones take precedence.
 * @param askKeyring Called at most once per index, for a user without a password.
 */
export function readCredentials(
  root: string,
  texts: readonly (string | undefined)[],
  env: NodeJS.ProcessEnv,
  askKeyring: AskKeyring,
): Authorize {
  const configured = uvIndexes(root, env);
  const logins: Login[] = [];
  const note = (url: URL | null, user: string, password: string) => {
    if (url && user !== '' && !logins.some((one) => isSameIndex(one.url, url)))
      logins.push({ url, user, password });
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
  const asked = new Map<Login, Promise<string | null>>();
  const ask = (login: Login) => {
    const answer = asked.get(login) ?? askKeyring(login.url, login.user);
    asked.set(login, answer);
    return answer;
  };
  return async (url) => {
    const fromNetrc = machines.get(url.hostname);
    const login = loginFor(url, logins);
    if (!login) return fromNetrc;
    if (login.password !== '') return basic(login.user, login.password);
    return fromNetrc ?? basic(login.user, (await ask(login)) ?? '');
  };
}

/**
 * One server can have several indexes with different logins. A file belongs to the index with which it shares the most folders:
 * it is below the index, or next to it, as `/team/files/demo.whl` is to `/team/simple`.
 */
function loginFor(url: URL, logins: readonly Login[]): Login | undefined {
  const own = logins.filter((one) => one.url.origin === url.origin);
  return own.toSorted((a, b) => sharedFolders(b.url, url) - sharedFolders(a.url, url))[0];
}

function sharedFolders(index: URL, file: URL): number {
  const folders = foldersOf(file);
  const own = foldersOf(index);
  const differs = own.findIndex((name, depth) => name !== folders[depth]);
  return differs === -1 ? own.length : differs;
}

function isSameIndex(a: URL, b: URL): boolean {
  return a.origin === b.origin && foldersOf(a).join('/') === foldersOf(b).join('/');
}

function foldersOf({ pathname }: URL): string[] {
  return pathname.split('/').filter((name) => name !== '');
}

/** `name=https://…` of UV_INDEX and UV_DEFAULT_INDEX. */
function namedIndexes(env: NodeJS.ProcessEnv): { name: string; url: string }[] {
  const words = [env.UV_DEFAULT_INDEX, env.UV_INDEX].flatMap((value) => (value ?? '').split(/\s+/));
  return words.flatMap((word) => {
    const match = /^([\w.-]+)=(https?:.+)$/.exec(word);
    return match ? [{ name: match[1]!, url: match[2]! }] : [];
  });
}

/** Indexes in uv's configuration files. Ignores invalid files, since uv itself reports them. */
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
    // Most users have none, and it is optional: an index that requires credentials says so.
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
