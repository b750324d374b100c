/**
 * The user's pip configuration → uv's variables, and the credentials for downloads. uv reads none of pip's settings;
 * what the user set for uv itself wins. Values may hold credentials: they are handed on and never printed.
 */
import { type Authorize, readCredentials } from './credentials.ts';
import type { NetworkSettings } from './downloadNetwork.ts';
import type { Interpreter } from './interpreter.ts';
import { readPipConfig } from './pipConfig.ts';

/** How packages are looked up and fetched. */
export interface IndexSettings {
  /** The environment for uv. */
  env: NodeJS.ProcessEnv;
  /** Arguments for what uv takes from no variable. */
  args: string[];
  authorize: Authorize;
  network: NetworkSettings;
}

/** pip's option → uv's variable; where uv takes a list by spaces or commas, as `separator` says. */
const MAPPED = [
  { pip: 'index-url', uv: 'UV_DEFAULT_INDEX', aliases: ['UV_INDEX_URL'], separator: null },
  { pip: 'extra-index-url', uv: 'UV_INDEX', aliases: ['UV_EXTRA_INDEX_URL'], separator: ' ' },
  { pip: 'find-links', uv: 'UV_FIND_LINKS', aliases: [], separator: ',' },
  { pip: 'trusted-host', uv: 'UV_INSECURE_HOST', aliases: [], separator: ' ' },
  { pip: 'cert', uv: 'SSL_CERT_FILE', aliases: [], separator: null },
  { pip: 'client-cert', uv: 'SSL_CLIENT_CERT', aliases: [], separator: null },
  { pip: 'proxy', uv: 'ALL_PROXY', aliases: ['HTTPS_PROXY', 'https_proxy'], separator: null },
] as const;

/** uv's variables that may hold addresses with credentials. */
const CREDENTIAL_VARIABLES = [
  'UV_DEFAULT_INDEX',
  'UV_INDEX_URL',
  'UV_INDEX',
  'UV_EXTRA_INDEX_URL',
  'UV_FIND_LINKS',
] as const;

/** What pip takes for yes. */
const TRUE = new Set(['1', 'true', 'yes', 'on', 'y', 't']);

/**
 * Reads the settings: environment first, then pip's own files.
 *
 * @param texts Lines of the project that may name an index with credentials.
 */
export function readIndexSettings(
  python: Interpreter,
  options: { root: string; env: NodeJS.ProcessEnv },
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
  return {
    env,
    args: TRUE.has((valueOf('no-index') ?? '').toLowerCase()) ? ['--no-index'] : [],
    authorize: readCredentials(
      options.root,
      [...CREDENTIAL_VARIABLES.map((name) => env[name]), ...texts],
      env,
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
