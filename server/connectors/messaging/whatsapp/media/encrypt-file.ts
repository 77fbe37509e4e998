import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { MediaType } from '#contracts/message-content.ts';
import { keysOf, macBytes } from './keys.ts';

export type EncryptedFile = {
  path: string;
  /** With the MAC. */
  size: number;
  mediaKey: Buffer;
  encryptedSha256: Buffer;
};

/** Writes a file as WhatsApp's servers take it: AES-256-CBC, then the first ten bytes of the HMAC over IV and ciphertext. */
export async function encryptFile(
  source: AsyncIterable<Uint8Array>,
  { path, type }: { path: string; type: MediaType },
): Promise<EncryptedFile> {
  const mediaKey = randomBytes(32);
  const { iv, cipherKey, macKey } = await keysOf(mediaKey, type);
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const mac = createHmac('sha256', macKey).update(iv);
  const hash = createHash('sha256');
  let size = 0;
  const note = (part: Buffer) => {
    hash.update(part);
    size += part.length;
    return part;
  };
  async function* encrypted(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      const done = cipher.update(part);
      mac.update(done);
      yield note(done);
    }
    const last = cipher.final();
    mac.update(last);
    yield note(last);
    yield note(mac.digest().subarray(0, macBytes));
  }
  // The file is there before anything can fail, so that it is removed then.
  const file = await open(path, 'wx', 0o600);
  await pipeline(source, encrypted, file.createWriteStream());
  return { path, size, mediaKey, encryptedSha256: hash.digest() };
}
