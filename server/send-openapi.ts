import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { documentedEndpoints, namedSchemas } from '#contracts/index.ts';
import { openApiDocument } from '#contracts/openapi.ts';
import { isHeld } from '#server/platform/http/held.ts';
import type { Caller } from '#server/route.ts';

const codings = {
  br: (json: string) => promisify(brotliCompress)(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (json: string) => promisify(gzip)(json),
} as const;
type Coding = keyof typeof codings;

type Made = {
  serverUrl: string;
  document: Record<string, unknown>;
  json: string;
  /** Weak: the same for each coding. */
  etag: string;
  compressed: Partial<Record<Coding, Promise<Buffer>>>;
};

let made: Made | undefined;

/** Cached, since the document is slow to build and never changes. */
function make(serverUrl: string): Made {
  if (made?.serverUrl === serverUrl) return made;
  const document = openApiDocument({ endpoints: documentedEndpoints, schemas: namedSchemas, serverUrl });
  const json = JSON.stringify(document);
  made = { serverUrl, document, json, etag: `W/"${hash('sha256', json, 'base64url')}"`, compressed: {} };
  return made;
}

/** The best coding that an `accept-encoding` names and does not refuse. */
export function codingFor(accepted: string | undefined): Coding | undefined {
  const named = (accepted ?? '').split(',').flatMap((part) => {
    const [coding = '', weight = 'q=1'] = part.trim().split(/\s*;\s*/);
    return Number(weight.slice('q='.length)) > 0 ? [coding.toLowerCase()] : [];
  });
  return (['br', 'gzip'] as const).find((coding) => named.includes(coding));
}

type Answer = { status: 200; body: Record<string, unknown> } | { status: 304; body: undefined };

/** The document is over a megabyte, and 16 times smaller compressed; who has it is told that it is the same. */
export async function sendOpenApi(serverUrl: string, { request, reply }: Caller): Promise<Answer> {
  const { document, json, etag, compressed } = make(serverUrl);
  void reply.headers({ vary: 'accept-encoding', etag, 'cache-control': 'public, max-age=300' });
  if (isHeld(etag, request.headers['if-none-match'])) return { status: 304, body: undefined };
  void reply.type('application/json; charset=utf-8');
  const coding = codingFor(request.headers['accept-encoding']);
  if (coding === undefined) {
    reply.serializer(() => json);
    return { status: 200, body: document };
  }
  const bytes = await (compressed[coding] ??= codings[coding](json));
  // Fastify sends the bytes as they are, though it declares the result of a serializer as text.
  reply.header('content-encoding', coding).serializer(() => bytes as unknown as string);
  return { status: 200, body: document };
}
