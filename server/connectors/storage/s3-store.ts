import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Config } from '#server/config.ts';
import { FileMissingError, StorageUnavailableError } from './port.ts';
import type { ByteRange, FileStore } from './port.ts';

const answerMs = 30_000;
const attempts = 3;
/** A storage that keeps silent is not asked again: its caller has waited for long enough. */
const retriedWithinMs = 10_000;

/** Of the body of a refusal, in characters. */
const longestRefusal = 4_096;

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

type Asked = { method: 'GET' | 'PUT' | 'DELETE'; headers?: Record<string, string>; sha256?: string; path?: string };
type Answer = { statusCode: number; body: Readable };

/** The code of an error, in the body of its answer (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
async function codeOf(body: Readable): Promise<string | undefined> {
  let text = '';
  try {
    for await (const part of body) {
      text += String(part);
      if (text.length >= longestRefusal) break;
    }
  } catch {
    // The status stands without it.
  }
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
}

const refused = (method: string, status: number, code: string | undefined) =>
  new StorageUnavailableError(
    new Error(`The file storage answered ${method} with ${status}${code === undefined ? '' : ` (${code})`}`),
  );

/** A wrong S3_BUCKET is no missing file: nothing is given up for it. */
const isMissingFile = (status: number, code: string | undefined) => status === 404 && code !== 'NoSuchBucket';

/** The bytes of a range, where the whole was sent: a server may ignore `Range` (RFC 9110 §14.2). */
async function* partOf(body: Readable, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const bytes of body) {
    const chunk = bytes as Buffer;
    const wanted = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.length;
    if (wanted.length > 0) yield wanted;
    if (at > end) return;
  }
}

/** Files in a bucket of any storage that speaks S3. Bodies are streams of known length, signed with the hash of their content. */
export function createS3Store(config: S3Config): FileStore {
  const base = `${config.endpoint.replace(/\/+$/, '')}/${encodeURIComponent(config.bucket)}`;

  async function ask(key: string, { method, headers = {}, sha256 = emptySha256, path }: Asked): Promise<Answer> {
    const signer = new AwsV4Signer({
      ...config,
      method,
      url: `${base}/${key}`,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      service: 's3',
    });
    const { url, headers: signed } = await signer.sign();
    const sent: Record<string, string> = { ...Object.fromEntries(signed), ...headers };
    const body = path === undefined ? null : createReadStream(path);
    const { request } = await import('undici');
    return request(url, { method, headers: sent, body, headersTimeout: answerMs, bodyTimeout: answerMs });
  }

  /**
   * Repeats a request while the storage has trouble, where it can be repeated; the answer's body is read or thrown
   * away.
   */
  async function askUntilAnswered(key: string, asked: Asked): Promise<Answer> {
    const startedAt = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const isLast = () => attempt >= attempts || performance.now() - startedAt > retriedWithinMs;
      const answer = await ask(key, asked).catch((error: unknown) => {
        if (isLast()) throw new StorageUnavailableError(error);
        return undefined;
      });
      if (answer && (answer.statusCode < 500 || isLast())) return answer;
      answer?.body.resume();
    }
  }

  async function demand(key: string, asked: Asked): Promise<void> {
    const { statusCode, body } = await askUntilAnswered(key, asked);
    if (statusCode < 300) {
      body.resume();
      return;
    }
    const code = await codeOf(body);
    if (asked.method !== 'DELETE' || !isMissingFile(statusCode, code)) throw refused(asked.method, statusCode, code);
  }

  return {
    put: (key, { path, size, sha256 }) =>
      demand(key, { method: 'PUT', headers: { 'content-length': String(size) }, sha256, path }),
    async open(key, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const { statusCode, body } = await askUntilAnswered(key, { method: 'GET', headers });
      if (statusCode === 200 && range) return Readable.from(partOf(body, range), { objectMode: false });
      if (statusCode === 200 || statusCode === 206) return body;
      const code = await codeOf(body);
      throw isMissingFile(statusCode, code) ? new FileMissingError(key) : refused('GET', statusCode, code);
    },
    remove: (key) => demand(key, { method: 'DELETE' }),
  };
}
