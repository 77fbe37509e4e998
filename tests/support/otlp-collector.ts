import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';

/** The part of the protocol that the collector reads, as opentelemetry-proto numbers its fields. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Scope { string name = 1; string version = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`);
const requestType = root.lookupType('Request');

type KeyValue = { key: string; value: Record<string, unknown> };
type RawSpan = {
  traceId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: KeyValue[];
  status?: { code?: number; message?: string };
};
type Exported = {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: RawSpan[] }[] }[];
};

export type ReceivedSpan = {
  /** In hexadecimal, as is the parent's; the latter is empty where there is none. */
  traceId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  durationMs: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  /** 2 is an error. */
  status: { code?: number; message?: string };
};

export type OtlpCollector = {
  url: string;
  spans: ReceivedSpan[];
  requests: { headers: IncomingHttpHeaders; body: Buffer }[];
  [Symbol.asyncDispose](): Promise<void>;
};

/** A stand-in for a collector that takes traces over HTTP; it refuses whatever it cannot decode. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpCollector['requests'] = [];
  async function take(request: IncomingMessage, response: ServerResponse) {
    const bytes = await buffer(request);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end();
    try {
      spans.push(...read(body, request.headers['content-type'] ?? ''));
      requests.push({ headers: request.headers, body });
      return response.writeHead(200, { 'content-type': request.headers['content-type'] }).end();
    } catch {
      return response.writeHead(400).end();
    }
  }

  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function read(body: Buffer, contentType: string): ReceivedSpan[] {
  if (contentType === 'application/json') return spansOf(JSON.parse(body.toString()) as Exported, (id) => id);
  if (contentType !== 'application/x-protobuf') throw new Error(`unknown ${contentType}`);
  const decoded = requestType.toObject(requestType.decode(body), { longs: String, bytes: String });
  return spansOf(decoded as Exported, (id) => Buffer.from(id, 'base64').toString('hex'));
}

function spansOf({ resourceSpans }: Exported, hex: (id: string) => string): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({
        traceId: hex(span.traceId),
        parentSpanId: hex(span.parentSpanId ?? ''),
        name: span.name,
        kind: span.kind,
        durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        attributes: valuesOf(span.attributes ?? []),
        resource: valuesOf(resource.attributes),
        status: span.status ?? {},
      })),
  );
}

const valuesOf = (attributes: readonly KeyValue[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [kind = '', plain] = Object.entries(value)[0] ?? [];
      return [key, kind === 'intValue' ? Number(plain) : plain];
    }),
  );
