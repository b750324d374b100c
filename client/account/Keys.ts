/** Keys of platforms, stored only in VS Code's secret storage. */
import type * as vscode from 'vscode';

const SECRET = 'toolkit.keys';

export class Keys {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** Platform address → key. */
  async all(): Promise<Record<string, string>> {
    const text = await this.#secrets.get(SECRET);
    return text === undefined ? {} : (JSON.parse(text) as Record<string, string>);
  }

  async store(platform: string, key: string): Promise<void> {
    await this.#write({ ...(await this.all()), [platform]: key });
  }

  async remove(platform: string): Promise<void> {
    const { [platform]: _, ...others } = await this.all();
    await this.#write(others);
  }

  async #write(keys: Record<string, string>): Promise<void> {
    if (Object.keys(keys).length === 0) await this.#secrets.delete(SECRET);
    else await this.#secrets.store(SECRET, JSON.stringify(keys));
  }
}
