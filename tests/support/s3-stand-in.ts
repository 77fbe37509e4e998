import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SignatureV4 } from '@smithy/signature-v4';

type Account = { bucket: string; region: string; accessKeyId: string; secretAccessKey: string };

/** A refusal as S3 answers it: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

const longestSkewMs = 15 * 60_000;

/**
 * A bucket that takes nothing unsigned: checks the signature (version 4, in the header) with Amazon's own library, its
 * time, that what has to be signed is, and that the body is what was signed. Knows PUT, GET with one range, and DELETE of
 * an object: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export async function startS3StandIn(account: Account, now: () => number = Date.now) {
  const objects = new Map<string, Buffer>();
  const refusals: string[] = [];
  let failures = 0;
  let lostAnswers = 0;
  let mayList = true;

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error : new Refusal(500, String(error));
      refusals.push(refusal.message);
      response.writeHead(refusal.status, { 'content-type': 'application/xml', connection: 'close' });
      response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${refusal.message}</Code></Error>`);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (failures > 0) {
      failures -= 1;
      throw new Refusal(503, 'SlowDown');
    }
    const key = keyOf(await checkSignature(request, account, now()), account.bucket);
    if (createHash('sha256').update(body).digest('hex') !== request.headers['x-amz-content-sha256']) {
      throw new Refusal(400, 'XAmzContentSHA256Mismatch');
    }
    const object = objects.get(key);
    switch (request.method) {
      case 'PUT':
        if (request.headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength');
        objects.set(key, body);
        if (lostAnswers > 0) {
          lostAnswers -= 1;
          throw new Refusal(500, 'InternalError');
        }
        response.writeHead(200).end();
        return;
      case 'DELETE':
        objects.delete(key);
        response.writeHead(204).end();
        return;
      case 'GET':
        if (object === undefined) throw mayList ? new Refusal(404, 'NoSuchKey') : new Refusal(403, 'AccessDenied');
        return sendObject(response, object, request.headers.range);
      default:
        throw new Refusal(405, 'MethodNotAllowed');
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    /** The codes of what was refused, in order. */
    refusals,
    /** So many requests from now on are answered with 503. */
    failNext(count: number): void {
      failures = count;
    },
    /** The key may not list the bucket from now on, so that it is not told which files are missing. */
    denyListing(): void {
      mayList = false;
    },
    /** So many files from now on are stored, and answered with 500. */
    loseAnswers(count: number): void {
      lostAnswers = count;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function keyOf(pathname: string, bucket: string): string {
  const prefix = `/${bucket}/`;
  if (!pathname.startsWith(prefix)) throw new Refusal(404, 'NoSuchBucket');
  return decodeURIComponent(pathname.slice(prefix.length));
}

function sendObject(response: ServerResponse, object: Buffer, range: string | undefined): void {
  const { start, end } = /^bytes=(?<start>\d+)-(?<end>\d+)$/.exec(range ?? '')?.groups ?? {};
  if (start === undefined || end === undefined) {
    response.writeHead(200, { 'content-length': object.length }).end(object);
    return;
  }
  if (Number(start) >= object.length) throw new Refusal(416, 'InvalidRange');
  const part = object.subarray(Number(start), Number(end) + 1);
  const place = `bytes ${start}-${Number(start) + part.length - 1}/${object.length}`;
  response.writeHead(206, { 'content-length': part.length, 'content-range': place }).end(part);
}

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=(?<keyId>[^/]+)\/(?<scope>\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=(?<names>[a-z\d;-]+), ?Signature=(?<signature>[\da-f]{64})$/;

/** Throws as S3 refuses; answers the path that was signed. */
async function checkSignature(request: IncomingMessage, account: Account, now: number): Promise<string> {
  const { headers } = request;
  const { keyId, scope, names = '', signature } = authorizationForm.exec(headers.authorization ?? '')?.groups ?? {};
  if (signature === undefined) throw new Refusal(403, 'AccessDenied');
  if (keyId !== account.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(String(headers['x-amz-date'])) ?? [];
  if (day === undefined || time === undefined) throw new Refusal(403, 'AccessDenied');
  if (scope !== `${day}/${account.region}/s3/aws4_request`) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  const at = new Date(`${day}T${time}Z`.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (Math.abs(now - at.getTime()) > longestSkewMs) throw new Refusal(403, 'RequestTimeTooSkewed');
  const signed = names.split(';');
  const required = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (required.some((name) => !signed.includes(name))) throw new Refusal(403, 'AccessDenied');
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(await signatureOf(request, { account, signed, at })))) {
    throw new Refusal(403, 'SignatureDoesNotMatch');
  }
  return new URL(request.url ?? '', `http://${headers.host}`).pathname;
}

/** The signature that Amazon's client would have given this request. */
async function signatureOf(
  { url = '', method = '', headers }: IncomingMessage,
  { account, signed, at }: { account: Account; signed: readonly string[]; at: Date },
): Promise<string> {
  const signer = new SignatureV4({
    credentials: account,
    region: account.region,
    service: 's3',
    sha256: Sha256,
    // Of S3 the path is encoded once.
    uriEscapePath: false,
    applyChecksum: false,
  });
  const { hostname, pathname, searchParams } = new URL(url, `http://${headers.host}`);
  const sent = {
    method,
    protocol: 'http:',
    hostname,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name] ?? '')])),
  };
  const { headers: expected } = await signer.sign(sent, { signingDate: at });
  return authorizationForm.exec(expected['authorization'] ?? '')?.groups?.['signature'] ?? '';
}

/** The hash interface that the library expects; with a secret it is keyed. */
class Sha256 {
  readonly #secret: string | Uint8Array | undefined;
  #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = typeof secret === 'string' || secret === undefined ? secret : bytesOf(secret);
    this.#hash = this.#begin();
  }

  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin() {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret);
  }
}

function bytesOf(source: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}
