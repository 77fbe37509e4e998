/** A credential store in memory that keeps what it was told and can be slow, fail, or be taken away. */
import type { CredentialStore } from '#server/connectors/messaging/port.ts';

type KeyEntry = { type: string; id: string; value: string | null };

export class MemoryCredentialStore implements CredentialStore {
  credentials: string | undefined;
  readonly keys = new Map<string, string>();
  /** How often keys were written: one statement each. */
  keyWrites = 0;
  reads = 0;
  /** Runs before every write; a rejection refuses the write. */
  beforeWrite: (keys: readonly KeyEntry[]) => Promise<void> = async () => {};

  /** Runs before every read of keys of a type. */
  beforeRead: (type: string) => Promise<void> = async () => {};

  /** A copy as a process that starts now would find it. */
  copy(): MemoryCredentialStore {
    const copy = new MemoryCredentialStore();
    copy.credentials = this.credentials;
    for (const [key, value] of this.keys) copy.keys.set(key, value);
    return copy;
  }

  async readCredentials(): Promise<string | undefined> {
    return this.credentials;
  }

  async writeCredentials(value: string): Promise<void> {
    await this.beforeWrite([]);
    this.credentials = value;
  }

  async readKeys(type: string, ids: readonly string[]): Promise<Map<string, string>> {
    this.reads += 1;
    await this.beforeRead(type);
    const found = new Map<string, string>();
    for (const id of ids) {
      const value = this.keys.get(`${type}/${id}`);
      if (value !== undefined) found.set(id, value);
    }
    return found;
  }

  async writeKeys(entries: readonly KeyEntry[]): Promise<void> {
    await this.beforeWrite(entries);
    this.keyWrites += 1;
    for (const { type, id, value } of entries) {
      if (value === null) this.keys.delete(`${type}/${id}`);
      else this.keys.set(`${type}/${id}`, value);
    }
  }

  async clear(): Promise<void> {
    this.credentials = undefined;
    for (const key of this.keys.keys()) if (!/^(tctoken|salt)\//.test(key)) this.keys.delete(key);
  }
}
