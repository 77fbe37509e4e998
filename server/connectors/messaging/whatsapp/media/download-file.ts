import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Agent, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { MediaType } from '#contracts/message-content.ts';
import { openUrl } from '../proxy/open-file.ts';
import { keysOf, macBytes } from './keys.ts';

/** How a file that is fetched is known, and bounded. */
export type WantedFile = {
  type: MediaType;
  mediaKey: Uint8Array;
  /** Of what lies on the server; undefined where the message does not say. */
  encryptedSha256: Uint8Array | undefined;
  /** Of the file itself, hexadecimal, and its bytes, as far as the message says. */
  sha256: string | null;
  size: number | null;
  maxBytes: number;
};

/** `gone`: the servers have it no longer. `broken`: what they have is not the file. `away`: it may be there later. */
export class DownloadError extends Error {
  readonly kind: 'gone' | 'broken' | 'away' | 'too_large';

  constructor(message: string, kind: DownloadError['kind']) {
    super(message);
    this.name = 'DownloadError';
    this.kind = kind;
  }
}

export type DownloadTimes = { baseMs: number; bytesPerSecond: number };

export const downloadTimes: DownloadTimes = { baseMs: 30_000, bytesPerSecond: 64 * 1024 };

const blockBytes = 16;

type Way = { urls: readonly URL[]; agent: Agent | undefined; signal: AbortSignal; times: DownloadTimes };
type Paths = { encrypted: string; plain: string };

/**
 * Fetches a file to `paths.encrypted`, then decrypts it to `paths.plain`: only once its length, its hash and its MAC are
 * what the message says. Nothing is held in memory. Throws `DownloadError`.
 */
export async function downloadFile(
  wanted: WantedFile,
  paths: Paths,
  way: Way,
): Promise<{ size: number; sha256: string }> {
  // Padding fills the last block, or adds one.
  const expected =
    wanted.size === null ? undefined : (Math.floor(wanted.size / blockBytes) + 1) * blockBytes + macBytes;
  if (wanted.size !== null && wanted.size > wanted.maxBytes) throw tooLarge(wanted.maxBytes);
  const maxEncrypted = expected ?? wanted.maxBytes + blockBytes + macBytes;
  await fetchFrom(paths.encrypted, { ...way, maxEncrypted });
  const { size } = await stat(paths.encrypted);
  if (expected !== undefined && size !== expected) throw broken('Its length is not what the message says');
  if (size <= macBytes || (size - macBytes) % blockBytes !== 0) throw broken('It is cut off');
  const keys = await keysOf(wanted.mediaKey, wanted.type);
  await verify(paths.encrypted, { size, macKey: keys.macKey, iv: keys.iv, encryptedSha256: wanted.encryptedSha256 });
  const plain = await decrypt(paths, { size, iv: keys.iv, cipherKey: keys.cipherKey });
  if (wanted.sha256 !== null && plain.sha256 !== wanted.sha256)
    throw broken('Its content is not what the message says');
  return plain;
}

const broken = (message: string) => new DownloadError(message, 'broken');
const tooLarge = (bytes: number) =>
  new DownloadError(`It has more than ${Math.round(bytes / 1024 / 1024)} MiB`, 'too_large');

/** Each address in turn; what the last one said counts, and that it is gone only where all say so. */
async function fetchFrom(path: string, { urls, ...way }: Way & { maxEncrypted: number }): Promise<void> {
  let worst: DownloadError | undefined;
  for (const url of urls) {
    const error = await fetchOne(url, path, way).catch((fault: unknown) => faultOf(fault));
    if (!error) return;
    if (error.kind === 'too_large' || way.signal.aborted) throw error;
    if (worst?.kind !== 'away') worst = error;
  }
  throw worst ?? new DownloadError('The message names no address', 'gone');
}

const faultOf = (fault: unknown) =>
  fault instanceof DownloadError
    ? fault
    : new DownloadError(fault instanceof Error ? fault.message : 'No answer', 'away');

async function fetchOne(
  url: URL,
  path: string,
  { agent, signal, times, maxEncrypted }: Omit<Way, 'urls'> & { maxEncrypted: number },
): Promise<undefined> {
  const limitMs = times.baseMs + (maxEncrypted / times.bytesPerSecond) * 1000;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), limitMs);
  const bounded = AbortSignal.any([signal, giveUp.signal]);
  let response: IncomingMessage | undefined;
  try {
    response = await openUrl(url, { agent, signal: bounded });
    const { statusCode = 0 } = response;
    if ([403, 404, 410].includes(statusCode)) throw new DownloadError(`HTTP ${statusCode}`, 'gone');
    if (statusCode !== 200) throw new DownloadError(`HTTP ${statusCode}`, 'away');
    // The file is there before anything can fail, so that it is removed then.
    const file = await open(path, 'w', 0o600);
    await pipeline(response, atMost(maxEncrypted), file.createWriteStream(), { signal: bounded });
  } catch (error) {
    if (giveUp.signal.aborted) throw new DownloadError('Not within its time', 'away');
    throw error;
  } finally {
    clearTimeout(timer);
    response?.destroy();
  }
}

const atMost = (maxBytes: number) =>
  async function* counted(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const part of parts) {
      size += part.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield part;
    }
  };

type Check = { size: number; macKey: Uint8Array; iv: Uint8Array; encryptedSha256: Uint8Array | undefined };

async function verify(path: string, { size, macKey, iv, encryptedSha256 }: Check): Promise<void> {
  const hash = createHash('sha256');
  const mac = createHmac('sha256', macKey).update(iv);
  const end = size - macBytes;
  let at = 0;
  const tail: Buffer[] = [];
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(part);
    const ofBody = Math.max(0, Math.min(part.length, end - at));
    mac.update(part.subarray(0, ofBody));
    // A view, an empty one too, keeps the memory of its whole part.
    if (ofBody < part.length) tail.push(part.subarray(ofBody));
    at += part.length;
  }
  if (encryptedSha256 && !same(hash.digest(), encryptedSha256)) throw broken('It is not the file that was sent');
  if (!same(mac.digest().subarray(0, macBytes), Buffer.concat(tail))) throw broken('Its MAC is wrong');
}

const same = (one: Uint8Array, other: Uint8Array) => one.length === other.length && timingSafeEqual(one, other);

type Decryption = { size: number; iv: Uint8Array; cipherKey: Uint8Array };

async function decrypt(paths: Paths, { size, iv, cipherKey }: Decryption): Promise<{ size: number; sha256: string }> {
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  const hash = createHash('sha256');
  let length = 0;
  async function* counted(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      hash.update(part);
      length += part.length;
      yield part;
    }
  }
  const ciphertext = createReadStream(paths.encrypted, { end: size - macBytes - 1 });
  const file = await open(paths.plain, 'w', 0o600);
  await pipeline(ciphertext, decipher, counted, file.createWriteStream({ flush: true })).catch(
    (error: NodeJS.ErrnoException) => {
      // A file whose MAC is right and whose padding is wrong was encrypted wrongly.
      throw error.syscall === undefined ? broken('It cannot be decrypted') : error;
    },
  );
  return { size: length, sha256: hash.digest('hex') };
}
