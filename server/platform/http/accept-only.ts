import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '#server/platform/errors.ts';

/** Routes of this scope get their body as a stream, unread, and refuse (415) every other type. */
export function acceptOnly(scope: FastifyInstance, contentType: string): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(contentType, (_request, payload, done) => done(null, payload));
  refuseOthers(scope, contentType);
}

/** Anybody may send such a body, and it is read whole before its signature can be looked at. */
export const signedBodyLimit = 128 * 1024;

/** Routes of this scope get the bytes of a JSON text as they came, as a Buffer: a signature is over those. */
export function acceptJsonBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: signedBodyLimit } as const;
  scope.addContentTypeParser('application/json', options, (_request, body, done) => done(null, body));
  refuseOthers(scope, 'application/json');
}

/** Routes of this scope get a file: of a form by `request.file()`, else the body as a stream, unread, whatever its type. */
export async function acceptFiles(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  const limits = { files: 1, fields: 10, fieldSize: 4096, parts: 11, fileSize: Number.POSITIVE_INFINITY };
  await scope.register(multipart, { limits, throwFileSizeLimit: false });
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

/**
 * The bytes of the body that such a route gets. A reader that stops leaves the rest to `readRefusedBodies`: the stream
 * itself would take its connection with it. Throws 415 with the sentence where there is no body.
 */
export function bytesOf(request: FastifyRequest, otherwise: string): AsyncIterable<Uint8Array> {
  const { body } = request;
  if (!(body instanceof Readable)) throw new ProblemError(415, 'unsupported_media_type', otherwise);
  const hash = createHash('sha256');
  hashes.set(request, hash);
  return hashed(body.iterator({ destroyOnReturn: false }), hash);
}

const hashes = new WeakMap<FastifyRequest, Hash>();

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    hash.update(part);
    yield part;
  }
}

/** The SHA-256 of the body of such a route, as far as it was read; where nobody has read any of it, all of it is. */
export async function digestOf(request: FastifyRequest): Promise<string | undefined> {
  if (!hashes.has(request) && request.body instanceof Readable) {
    const bytes = bytesOf(request, '')[Symbol.asyncIterator]();
    while ((await bytes.next()).done !== true);
  }
  return hashes.get(request)?.copy().digest('hex');
}

function refuseOthers(scope: FastifyInstance, contentType: string): void {
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(new ProblemError(415, 'unsupported_media_type', `Send the body as ${contentType}`));
  });
}
