import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Config } from '#server/config.ts';
import { FileMissingError, StorageUnavailableError } from './port.ts';
import type { FileStore } from './port.ts';

const answerMs = 30_000;
const attempts = 3;
/** A storage that keeps silent is not asked again: its caller has waited for long enough. */
const retriedWithinMs = 10_000;

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

type Asked = { method: 'GET' | 'PUT' | 'DELETE'; headers?: Record<string, string>; sha256?: string; path?: string };
type Answer = { statusCode: number; body: Readable };

const refused = (method: string, status: number) =>
  new StorageUnavailableError(new Error(`The file storage answered ${method} with ${status}`));

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
    body.resume();
    const isFine = statusCode < 300 || (asked.method === 'DELETE' && statusCode === 404);
    if (!isFine) throw refused(asked.method, statusCode);
  }

  return {
    put: (key, { path, size, sha256 }) =>
      demand(key, { method: 'PUT', headers: { 'content-length': String(size) }, sha256, path }),
    async open(key, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const { statusCode, body } = await askUntilAnswered(key, { method: 'GET', headers });
      if (statusCode === 200 || statusCode === 206) return body;
      body.resume();
      if (statusCode === 404) throw new FileMissingError(key);
      throw refused('GET', statusCode);
    },
    remove: (key) => demand(key, { method: 'DELETE' }),
  };
}
