import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { documentedEndpoints, namedSchemas } from '#contracts/index.ts';
import { openApiDocument } from '#contracts/openapi.ts';
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
  compressed: Partial<Record<Coding, Promise<Buffer>>>;
};

let made: Made | undefined;

/** Cached, since the document is slow to build and never changes. */
function make(serverUrl: string): Made {
  if (made?.serverUrl === serverUrl) return made;
  const document = openApiDocument({ endpoints: documentedEndpoints, schemas: namedSchemas, serverUrl });
  made = { serverUrl, document, json: JSON.stringify(document), compressed: {} };
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

/** The document is over a megabyte, and 16 times smaller compressed. */
export async function sendOpenApi(serverUrl: string, { request, reply }: Caller): Promise<Record<string, unknown>> {
  const { document, json, compressed } = make(serverUrl);
  const coding = codingFor(request.headers['accept-encoding']);
  void reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8');
  if (coding === undefined) {
    reply.serializer(() => json);
    return document;
  }
  const bytes = await (compressed[coding] ??= codings[coding](json));
  // Fastify sends the bytes as they are, though it declares the result of a serializer as text.
  reply.header('content-encoding', coding).serializer(() => bytes as unknown as string);
  return document;
}
