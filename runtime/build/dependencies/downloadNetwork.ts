/** Makes downloads use the same certificates and proxy as the user's pip and uv. */
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import tls from 'node:tls';
import type { ReportProgress } from '../../contract/progress.ts';

/** Certificates and proxy for downloads. */
export interface NetworkSettings {
  /** A PEM file of certificates to trust, in addition to the built-in ones. */
  certificates: string | null;
  /** Addresses as in HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  proxy: { http: string; https: string; except: string } | null;
}

/** The toolkit's own platform is always called directly, without a proxy. */
const OWN_HOSTS = 'localhost,127.0.0.1,::1';

/**
 * Sets up the network for this process.
 *
 * @returns A function that restores the previous proxy.
 */
export async function setUpNetwork(settings: NetworkSettings, report: ReportProgress): Promise<() => void> {
  if (settings.certificates) await trustCertificates(settings.certificates, report);
  return settings.proxy ? takeProxy(settings.proxy, report) : () => {};
}

/** Adds the certificates of a PEM file to the built-in ones. An unreadable file is only a warning. */
async function trustCertificates(file: string, report: ReportProgress): Promise<void> {
  // Available since Node 22.19 and 24.5.
  if (!('setDefaultCACertificates' in tls)) {
    const message = `This version of Node cannot load the certificates in ${file}. Set NODE_EXTRA_CA_CERTS to this file instead.`;
    return report({ type: 'warning', message });
  }
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return report({ type: 'warning', message: `The certificate file ${file} cannot be read.` });
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  tls.setDefaultCACertificates([...new Set([...tls.getCACertificates('default'), ...found])]);
}

function takeProxy(proxy: NonNullable<NetworkSettings['proxy']>, report: ReportProgress): () => void {
  // Available since Node 24.14.
  if (!('setGlobalProxyFromEnv' in http) || typeof http.setGlobalProxyFromEnv !== 'function') {
    const message =
      'This version of Node cannot use the proxy of pip or uv for downloads. Set NODE_USE_ENV_PROXY=1 instead.';
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
