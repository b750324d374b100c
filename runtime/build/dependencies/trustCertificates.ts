/** Makes downloads trust the authorities that the user's pip and uv trust. */
import { readFile } from 'node:fs/promises';
import tls from 'node:tls';
import type { ReportProgress } from '../../contract/progress.ts';

/** Adds the certificates of a PEM file to the built-in ones, for this process; an unreadable file is a warning. */
export async function trustCertificates(file: string, report: ReportProgress): Promise<void> {
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
