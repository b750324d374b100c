/**
 * The addresses of the platform and its endpoints: the advertised one for clients, a local one for workers on
 * this machine.
 */
import type { DeployedEndpoint } from './endpoints.ts';

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

export class Addresses {
  /** For clients, without a trailing slash. */
  readonly url: string;
  /** For workers on this machine, without a trailing slash. */
  readonly workerUrl: string;

  /** @param advertise Address that clients use; null: `http://host:port`. */
  constructor(host: string, port: number, advertise: string | null) {
    const reachable = ANY_ADDRESS.has(host) ? '127.0.0.1' : host;
    this.workerUrl = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
    this.url = advertise === null ? this.workerUrl : advertise.replace(/\/+$/, '');
  }

  /** `{base_url}/v2/<id>` for a queue-based endpoint; a load-balanced endpoint has a port of its own. */
  of(endpoint: Pick<DeployedEndpoint, 'id' | 'port'>): string {
    if (endpoint.port === null) return `${this.url}/v2/${endpoint.id}`;
    const address = new URL(this.url);
    address.port = String(endpoint.port);
    return address.origin;
  }
}
