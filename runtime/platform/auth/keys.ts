/**
 * The account's keys, each with a scope and an optional limit to endpoints. The store keeps only their
 * hashes.
 */
import { randomUUID } from 'node:crypto';
import { KEY_SCOPES, type KeyScope } from '../../contract/deployment.ts';
import type { KeyRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { deriveSecret, equalHashes, hashSecret, newSecret } from './secret.ts';

/** The sender of a request. */
export interface Principal {
  keyId: string;
  scope: KeyScope;
  /** Names or ids of the endpoints that an invoke key is limited to; null: all. */
  endpoints: string[] | null;
  /** App, environment and run of dev that a worker's key is limited to; null: all. */
  within: { app: string; environment: string; run: string | null } | null;
}

/** A key as listed. The key itself is returned only once, when it is created. */
export interface ListedKey {
  id: string;
  scope: KeyScope;
  name: string | null;
  endpoints: string[] | null;
  created: string;
}

export class Keys {
  readonly #store: Store;
  readonly #platformSecret: string;
  readonly #byHash = new Map<string, KeyRow>();
  /** Cache of valid keys, so that a key is not hashed with every request. Cleared when a key is revoked. */
  readonly #verified = new Map<string, Principal>();

  private constructor(store: Store, platformSecret: string) {
    this.#store = store;
    this.#platformSecret = platformSecret;
  }

  static async load(store: Store, platformSecret: string): Promise<Keys> {
    const keys = new Keys(store, platformSecret);
    for (const row of await store.keys.all()) keys.#byHash.set(row.hash, row);
    return keys;
  }

  /** The principal of a key; null for a wrong key. */
  verify(key: string): Principal | null {
    const verified = this.#verified.get(key);
    if (verified) return verified;
    const found = this.#lookUp(key);
    if (found) this.#verified.set(key, found);
    return found;
  }

  #lookUp(key: string): Principal | null {
    const hash = hashSecret(key);
    const row = this.#byHash.get(hash);
    if (!row || !equalHashes(hash, row.hash)) return null;
    const within = row.app !== null && row.environment !== null;
    return {
      keyId: row.id,
      scope: scopeOf(row.scope),
      endpoints: row.endpoints === null ? null : (JSON.parse(row.endpoints) as string[]),
      within: within ? { app: row.app!, environment: row.environment!, run: row.run } : null,
    };
  }

  /** Creates a key. Only this call returns it. */
  async create(scope: KeyScope, name: string | null, endpoints: string[] | null) {
    const key = newSecret();
    const row = await this.#put({ hash: hashSecret(key), scope, name, endpoints, within: null });
    return { id: row.id, key };
  }

  /**
   * The key for the workers of an environment or of a run of dev. It can look up and invoke endpoints there,
   * nothing else. It is derived from the platform's secret, so that all workers of the environment get the
   * same key while only its hash is stored.
   */
  async workerKey(app: string, environment: string, run: string | null): Promise<string> {
    const place = run === null ? [app, environment] : [app, environment, run];
    const key = deriveSecret(this.#platformSecret, `worker-key ${JSON.stringify(place)}`);
    const hash = hashSecret(key);
    const within = { app, environment, run };
    if (!this.#byHash.has(hash))
      await this.#put({ hash, scope: 'invoke', name: null, endpoints: null, within });
    return key;
  }

  /** Deletes a key; false if no key has this id. */
  async revoke(id: string): Promise<boolean> {
    const row = [...this.#byHash.values()].find((key) => key.id === id);
    if (!row) return false;
    await this.#store.keys.delete(id);
    this.#byHash.delete(row.hash);
    this.#verified.clear();
    return true;
  }

  /** Deletes the key of an environment's workers. */
  async revokeWithin(app: string, environment: string): Promise<void> {
    for (const row of this.#byHash.values()) {
      if (row.app === app && row.environment === environment) await this.revoke(row.id);
    }
  }

  /** Deletes the key of a run's workers. */
  async revokeOfRun(run: string): Promise<void> {
    for (const row of this.#byHash.values()) if (row.run === run) await this.revoke(row.id);
  }

  /** Keys that users created, without those of workers. */
  list(): ListedKey[] {
    return [...this.#byHash.values()]
      .filter((row) => row.app === null)
      .map((row) => ({
        id: row.id,
        scope: scopeOf(row.scope),
        name: row.name,
        endpoints: row.endpoints === null ? null : (JSON.parse(row.endpoints) as string[]),
        created: row.created,
      }));
  }

  async #put(key: {
    hash: string;
    scope: KeyScope;
    name: string | null;
    endpoints: string[] | null;
    within: Principal['within'];
  }): Promise<KeyRow> {
    const row: KeyRow = {
      id: randomUUID(),
      hash: key.hash,
      scope: key.scope,
      name: key.name,
      endpoints: key.endpoints === null ? null : JSON.stringify(key.endpoints),
      app: key.within?.app ?? null,
      environment: key.within?.environment ?? null,
      run: key.within?.run ?? null,
      created: new Date().toISOString(),
    };
    await this.#store.keys.put(row);
    this.#byHash.set(row.hash, row);
    return row;
  }
}

/** Parses a scope; null if it is not one. */
export function parseScope(text: string): KeyScope | null {
  return KEY_SCOPES.find((scope) => scope === text) ?? null;
}

/** The store contains only scopes that `parseScope` accepted. Anything else gets the lowest scope. */
function scopeOf(text: string): KeyScope {
  return parseScope(text) ?? 'invoke';
}
