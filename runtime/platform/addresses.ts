/** How the platform and its endpoints are reached: by clients at the advertised address, by workers on this machine. */
import type { DeployedEndpoint } from './endpoints.ts';

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

export class Addresses {
  /** For clients, without a trailing slash. */
  readonly url: string;
  /** For workers of this machine, without a trailing slash. */
  readonly workerUrl: string;

  /** @param advertise Address that clients are told; null: `http://host:port`. */
  constructor(host: string, port: number, advertise: string | null) {
    const reachable = ANY_ADDRESS.has(host) ? '127.0.0.1' : host;
    this.workerUrl = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
    this.url = advertise === null ? this.workerUrl : advertise.replace(/\/+$/, '');
  }

  /** `{base_url}/v2/<id>` of a queue-based endpoint, the own address of a load-balanced one. */
  of(endpoint: Pick<DeployedEndpoint, 'id' | 'port'>): string {
    if (endpoint.port === null) return `${this.url}/v2/${endpoint.id}`;
    const address = new URL(this.url);
    address.port = String(endpoint.port);
    return address.origin;
  }
}
