/** Makes downloads go the way that the user's pip and uv go: the authorities they trust, the proxy they use. */
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import tls from 'node:tls';
import type { ReportProgress } from '../../contract/progress.ts';

/** What downloads need beside an address. */
export interface NetworkSettings {
  /** A PEM file that downloads trust beside the built-in authorities. */
  certificates: string | null;
  /** Addresses as in HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  proxy: { http: string; https: string; except: string } | null;
}

/** The toolkit's own platform is never asked by way of a proxy. */
const OWN_HOSTS = 'localhost,127.0.0.1,::1';

/**
 * Sets the network up, for this process.
 *
 * @returns Puts the proxy back as it was.
 */
export async function setUpNetwork(settings: NetworkSettings, report: ReportProgress): Promise<() => void> {
  if (settings.certificates) await trustCertificates(settings.certificates, report);
  return settings.proxy ? takeProxy(settings.proxy, report) : () => {};
}

/** Adds the certificates of a PEM file to the built-in ones; an unreadable file is a warning. */
async function trustCertificates(file: string, report: ReportProgress): Promise<void> {
  // Node has it since 22.19 and 24.5.
  if (!('setDefaultCACertificates' in tls)) {
    const message = `This Node cannot add the certificates in ${file}: set NODE_EXTRA_CA_CERTS to it.`;
    return report({ type: 'warning', message });
  }
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return report({ type: 'warning', message: `The certificates in ${file} cannot be read.` });
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  tls.setDefaultCACertificates([...new Set([...tls.getCACertificates('default'), ...found])]);
}

function takeProxy(proxy: NonNullable<NetworkSettings['proxy']>, report: ReportProgress): () => void {
  // Node has it since 24.14.
  if (!('setGlobalProxyFromEnv' in http) || typeof http.setGlobalProxyFromEnv !== 'function') {
    const message = 'This Node cannot use the proxy of pip or uv for downloads: set NODE_USE_ENV_PROXY=1.';
    report({ type: 'warning', message });
    return () => {};
  }
  const except = proxy.except === '' ? OWN_HOSTS : `${proxy.except},${OWN_HOSTS}`;
  const restore: unknown = http.setGlobalProxyFromEnv({
    http_proxy: proxy.http,
    https_proxy: proxy.https,
    no_proxy: except,
  });
  return typeof restore === 'function' ? () => void restore() : () => {};
}
