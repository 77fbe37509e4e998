import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { problemDocsPath } from '#contracts/problem-guide.ts';
import type { Problem } from '#contracts/problem.ts';

type Fault = { status: number; code: string; message: string; location?: string };

const malformed: Fault = { status: 400, code: 'malformed_request', message: 'This is not a valid HTTP request' };

const tooSlow: Fault = {
  status: 408,
  code: 'request_timeout',
  message: 'The request took too long to arrive',
};

const unmetExpectation: Fault = {
  status: 417,
  code: 'expectation_failed',
  message: 'The only expectation that can be met is 100-continue',
};

const faults: Readonly<Record<string, Fault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
  HPE_HEADER_OVERFLOW: { status: 431, code: 'headers_too_large', message: 'The request headers are over 16 KiB' },
};

/** Answers what reaches no route. */
export type ConnectionFaults = {
  /** Requests refused by Node's HTTP parser are answered on the socket itself, as a problem like any other. */
  answerParserFault(error: ConnectionError, socket: Socket): void;
  /** An `Expect` other than `100-continue` (RFC 9110, 10.1.1). */
  answerExpectation(request: IncomingMessage, response: ServerResponse): void;
  answerTooSlow(socket: Socket): void;
};

type Options = {
  /** On each of these answers, too. */
  headers: Readonly<Record<string, string>>;
  publicUrl(): string | undefined;
};

export function createConnectionFaults(options: Options): ConnectionFaults {
  const answer = (socket: Socket, fault: Fault) => answerOnSocket(socket, fault, options);
  return {
    answerParserFault(error, socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      answer(socket, redirectionOf(error) ?? faults[error.code] ?? malformed);
    },
    answerExpectation(_request, { socket }) {
      if (socket) answer(socket, unmetExpectation);
    },
    answerTooSlow: (socket) => answer(socket, tooSlow),
  };
}

/**
 * Node's parser refuses an address with letters beyond ASCII, as people type it after `curl`: a GET is sent to the same
 * address with those letters encoded. Undefined for every other fault.
 */
function redirectionOf({ code, rawPacket }: ConnectionError): Fault | undefined {
  const packet: unknown = rawPacket;
  if (code !== 'HPE_INVALID_URL' || !(packet instanceof Buffer)) return undefined;
  const address = /^GET (\/(?![/\\])\S*) HTTP\/1\.[01]\r\n/.exec(packet.toString('latin1'))?.[1];
  if (address === undefined) return undefined;
  const encoded = Buffer.from(address, 'latin1').reduce(
    (text, byte) => text + (byte < 0x80 ? String.fromCodePoint(byte) : `%${byte.toString(16).toUpperCase()}`),
    '',
  );
  const message = 'Encode the letters of the address that are not ASCII, for example ễ as %E1%BB%85';
  return { status: 308, code: 'malformed_request', message, location: encoded };
}

/** Answers a request that cannot be read to its end, and closes the connection. */
function answerOnSocket(socket: Socket, fault: Fault, { headers, publicUrl }: Options): void {
  const { status, code, message, location } = fault;
  const requestId = randomUUID();
  const body = JSON.stringify({
    message,
    code,
    docs: `${publicUrl() ?? ''}${problemDocsPath(code)}`,
    request_id: requestId,
  } satisfies Problem);
  if (!socket.writable) return void socket.destroy();
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${requestId}`,
      ...(location === undefined ? [] : [`Location: ${location}`]),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    // A client that keeps writing gets no half-closed connection.
    () => socket.destroy(),
  );
}
