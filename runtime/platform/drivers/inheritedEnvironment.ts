/**
 * Selects the part of the platform's environment that workers inherit: paths, locale, and network settings.
 */

/** LD_LIBRARY_PATH: in many container images, it is the only way to the GPU's driver. */
const PATHS = ['PATH', 'LD_LIBRARY_PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR'];
const LOCALE = ['LANG', 'LC_ALL', 'TZ'];
/** Trusted certificate authorities, as OpenSSL, requests, curl and Node name them. */
const AUTHORITIES = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
];
/** Variables that workers inherit, except the proxies. */
export const INHERITED: readonly string[] = [...PATHS, ...LOCALE, ...AUTHORITIES];
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
/** Settings of the installers. The worker uses them for base layers and hides them from user code. */
const INSTALLERS = /^(PIP|UV)_/;
/** The platform and its endpoints are never reached through a proxy. */
const OWN_HOSTS = 'localhost,127.0.0.1,::1';

/** The part of an environment that a worker gets. */
export function inheritedEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const wanted = new Set([...INHERITED, ...PROXIES]);
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (wanted.has(name) || INSTALLERS.test(name))) inherited[name] = value;
  }
  if (!PROXIES.some((name) => inherited[name])) return inherited;
  const except = environment['NO_PROXY'] || environment['no_proxy'];
  const own = except ? `${except},${OWN_HOSTS}` : OWN_HOSTS;
  return { ...inherited, NO_PROXY: own, no_proxy: own };
}
