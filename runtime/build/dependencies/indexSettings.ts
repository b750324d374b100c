/**
 * The user's pip configuration → uv's variables, and the credentials for downloads. uv does not read pip's settings. The
 * user's settings of uv take precedence. Values can contain credentials, so they are never printed.
 */
import { type Authorize, readCredentials } from './credentials.ts';
import type { NetworkSettings } from './downloadNetwork.ts';
import type { Interpreter } from './interpreter.ts';
import { findKeyring, keyring } from './keyring.ts';
import { readPipConfig } from './pipConfig.ts';

/** Settings for finding and downloading packages. */
export interface IndexSettings {
  /** The environment for uv. */
  env: NodeJS.ProcessEnv;
  /** Arguments of uv, for settings without a variable. */
  args: string[];
  authorize: Authorize;
  network: NetworkSettings;
}

/** pip's option → uv's variable. `separator` is what uv puts between the items of a list; null for a single value. */
const MAPPED = [
  { pip: 'index-url', uv: 'UV_DEFAULT_INDEX', aliases: ['UV_INDEX_URL'], separator: null },
  { pip: 'extra-index-url', uv: 'UV_INDEX', aliases: ['UV_EXTRA_INDEX_URL'], separator: ' ' },
  { pip: 'find-links', uv: 'UV_FIND_LINKS', aliases: [], separator: ',' },
  { pip: 'trusted-host', uv: 'UV_INSECURE_HOST', aliases: [], separator: ' ' },
  { pip: 'cert', uv: 'SSL_CERT_FILE', aliases: [], separator: null },
  { pip: 'client-cert', uv: 'SSL_CLIENT_CERT', aliases: [], separator: null },
  { pip: 'proxy', uv: 'ALL_PROXY', aliases: ['HTTPS_PROXY', 'https_proxy'], separator: null },
] as const;

/** uv's variables that can contain addresses with credentials. */
const CREDENTIAL_VARIABLES = [
  'UV_DEFAULT_INDEX',
  'UV_INDEX_URL',
  'UV_INDEX',
  'UV_EXTRA_INDEX_URL',
  'UV_FIND_LINKS',
] as const;

/** Values that pip reads as true. */
const TRUE = new Set(['1', 'true', 'yes', 'on', 'y', 't']);

/**
 * Reads the settings: from the environment first, then from pip's files.
 *
 * @param texts Lines of the project that can name an index with credentials.
 */
export function readIndexSettings(
  python: Interpreter,
  options: { root: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
  texts: readonly string[] = [],
): IndexSettings {
  const pip = readPipConfig(python.path, options.env);
  const env = { ...options.env };
  const valueOf = (option: string) =>
    options.env[`PIP_${option.toUpperCase().replaceAll('-', '_')}`] ?? pip.get(option);
  for (const { pip: option, uv, aliases, separator } of MAPPED) {
    const value = valueOf(option);
    if (!value || [uv, ...aliases].some((name) => options.env[name])) continue;
    env[uv] = separator === null ? value : value.trim().split(/\s+/).join(separator);
  }
  const command = findKeyring(env.UV_KEYRING_PROVIDER ?? valueOf('keyring-provider'), options.env);
  // uv uses no keyring by default.
  if (command !== null) env.UV_KEYRING_PROVIDER ??= 'subprocess';
  return {
    env,
    args: TRUE.has((valueOf('no-index') ?? '').toLowerCase()) ? ['--no-index'] : [],
    authorize: readCredentials(
      options.root,
      [...CREDENTIAL_VARIABLES.map((name) => env[name]), ...texts],
      env,
      keyring(command, { env: options.env, signal: options.signal }),
    ),
    network: { certificates: env.SSL_CERT_FILE ?? null, proxy: readProxy(env) },
  };
}

function readProxy(env: NodeJS.ProcessEnv): NetworkSettings['proxy'] {
  const all = env.ALL_PROXY ?? env.all_proxy ?? '';
  const http = env.HTTP_PROXY ?? env.http_proxy ?? all;
  const https = env.HTTPS_PROXY ?? env.https_proxy ?? all;
  const except = env.NO_PROXY ?? env.no_proxy ?? '';
  return http === '' && https === '' ? null : { http, https, except };
}
