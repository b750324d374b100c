/**
 * The user's pip configuration → uv's variables, and the credentials for downloads. uv reads none of pip's settings;
 * what the user set for uv itself wins. Values may hold credentials: they are handed on and never printed.
 */

import { runTool } from '../runTool.ts';
import type { Interpreter } from './interpreter.ts';

/** How packages are looked up and fetched. */
export interface IndexSettings {
  /** The environment for uv. */
  env: NodeJS.ProcessEnv;
  /** Arguments for what uv takes from no variable. */
  args: string[];
  /** Origin (`https://host:port`) → value of the Authorization header. */
  authorizations: Map<string, string>;
  /** A PEM file that downloads trust beside the built-in authorities. */
  certificates: string | null;
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

/** What pip takes for yes. */
const TRUE = new Set(['1', 'true', 'yes', 'on', 'y', 't']);

/**
 * Reads the settings: environment first, then pip's own files through `pip config list` (without a pip: none).
 */
export async function readIndexSettings(
  python: Interpreter,
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<IndexSettings> {
  const run = await runTool(python.path, ['-m', 'pip', 'config', 'list'], options);
  const pip = parsePipConfig(run.code === 0 ? run.stdout : '');
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
    authorizations: readAuthorizations(env),
    certificates: env.SSL_CERT_FILE ?? null,
  };
}

/** Lines such as `global.index-url='https://…'`; the install command's own settings win over global ones. */
function parsePipConfig(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const section of ['global', 'install']) {
    for (const line of text.split('\n')) {
      const match = /^(\w+)\.([\w-]+)='(.*)'$/.exec(line.trim());
      if (match?.[1] === section) found.set(match[2]!, match[3]!.replaceAll('\\n', ' '));
    }
  }
  return found;
}

function readAuthorizations(env: NodeJS.ProcessEnv): Map<string, string> {
  const found = new Map<string, string>();
  const values = [
    env.UV_DEFAULT_INDEX,
    env.UV_INDEX_URL,
    env.UV_INDEX,
    env.UV_EXTRA_INDEX_URL,
    env.UV_FIND_LINKS,
  ];
  for (const word of values.flatMap((value) => (value ?? '').split(/[\s,]+/))) {
    const url = URL.parse(word.replace(/^[\w-]+=(?=https?:)/, ''));
    if (!url || url.username === '') continue;
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    found.set(url.origin, `Basic ${Buffer.from(pair).toString('base64')}`);
  }
  return found;
}
