import { createHash, randomInt } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import { GraphError, missing } from './account.ts';

type Shelved = { id: string; phoneNumberId: string; mimeType: string; bytes: Buffer; expiresAt: number };

const mib = 1024 * 1024;
const day = 24 * 60 * 60_000;
const urlLastsMs = 5 * 60_000;

/** Sizes and types as the page on media has them. */
const limits: readonly { kind: string; types: RegExp; bytes: number }[] = [
  { kind: 'image', types: /^image\/(jpeg|png)$/, bytes: 5 * mib },
  { kind: 'video', types: /^video\/(mp4|3gpp)$/, bytes: 16 * mib },
  { kind: 'audio', types: /^audio\/(aac|amr|mpeg|mp4|ogg)/, bytes: 16 * mib },
  { kind: 'sticker', types: /^image\/webp$/, bytes: mib / 2 },
  { kind: 'document', types: /^(text\/plain|application\/)/, bytes: 100 * mib },
];

/** The files that Meta keeps: uploads for 30 days, those of users for 7, an address of one for five minutes. */
export class MediaShelf {
  readonly uploads: string[] = [];
  /** So many addresses are no longer good by the time they are asked for. */
  staleAddresses = 0;
  readonly #clock: Clock;
  readonly #files = new Map<string, Shelved>();
  readonly #urls = new Map<string, { id: string; expiresAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(phoneNumberId: string, file: { mimeType: string; bytes: Buffer; daysKept: number }): Shelved {
    const limit = limits.find(({ types }) => types.test(file.mimeType));
    if (!limit || file.bytes.length > limit.bytes) {
      throw new GraphError(
        100,
        '(#100) Param file must be a file with one of the known types',
        `Received file of type ${file.mimeType}`,
      );
    }
    const id = String(randomInt(1e12, 9e12));
    const expiresAt = this.#clock.now().getTime() + file.daysKept * day;
    const shelved = { id, phoneNumberId, mimeType: file.mimeType, bytes: file.bytes, expiresAt };
    this.#files.set(id, shelved);
    if (file.daysKept === 30) this.uploads.push(id);
    return shelved;
  }

  find(id: string): Shelved {
    const file = this.#files.get(id);
    if (!file || file.expiresAt <= this.#clock.now().getTime()) {
      throw missing('GET', id);
    }
    return file;
  }

  /** 131053 for a file that is gone, of another number, or of the wrong kind for the message. */
  require(id: string, phoneNumberId: string, type: string): void {
    const file = this.#files.get(id);
    const limit = limits.find(({ kind }) => kind === type);
    const isFit = file && file.phoneNumberId === phoneNumberId && limit?.types.test(file.mimeType);
    if (!isFit || file.expiresAt <= this.#clock.now().getTime()) {
      throw new GraphError(131053, '(#131053) Media upload error', `${type} ${id} cannot be sent`);
    }
  }

  describe(id: string, origin: string): Record<string, unknown> {
    const file = this.find(id);
    const key = createHash('sha256').update(`${id}:${Math.random()}`).digest('hex').slice(0, 24);
    const isStale = this.staleAddresses > 0;
    if (isStale) this.staleAddresses -= 1;
    this.#urls.set(key, { id, expiresAt: this.#clock.now().getTime() + (isStale ? 0 : urlLastsMs) });
    return {
      messaging_product: 'whatsapp',
      id,
      url: `${origin}/lookaside/${key}`,
      mime_type: file.mimeType,
      sha256: createHash('sha256').update(file.bytes).digest('hex'),
      file_size: file.bytes.length,
    };
  }

  download(key: string): Shelved | undefined {
    const url = this.#urls.get(key);
    return url && url.expiresAt > this.#clock.now().getTime() ? this.#files.get(url.id) : undefined;
  }

  remove(id: string): void {
    this.find(id);
    this.#files.delete(id);
  }
}
