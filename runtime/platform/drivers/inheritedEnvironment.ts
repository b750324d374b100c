/** The platform's environment → what its workers take over: places, language, and the way to the network. */

const PLACES = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
/** Authorities that are trusted, in the words of OpenSSL, requests, curl and Node. */
const AUTHORITIES = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
];
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
/** Of the installers; our worker keeps them for base layers and shows them to nobody's code. */
const INSTALLERS = /^(PIP|UV)_/;
/** The platform and the endpoints beside are never asked by way of a proxy. */
const OWN_HOSTS = 'localhost,127.0.0.1,::1';

/** The part of an environment that a worker gets. */
export function inheritedEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const wanted = new Set([...PLACES, ...AUTHORITIES, ...PROXIES]);
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (wanted.has(name) || INSTALLERS.test(name))) inherited[name] = value;
  }
  if (!PROXIES.some((name) => inherited[name])) return inherited;
  const except = environment['NO_PROXY'] || environment['no_proxy'];
  const own = except ? `${except},${OWN_HOSTS}` : OWN_HOSTS;
  return { ...inherited, NO_PROXY: own, no_proxy: own };
}
