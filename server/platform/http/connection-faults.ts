import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { problemDocsPath } from '#contracts/problem-guide.ts';
import type { Problem } from '#contracts/problem.ts';

type Fault = { status: number; code: string; message: string };

const malformed: Fault = { status: 400, code: 'malformed_request', message: 'This is not a valid HTTP request' };

export const tooSlow: Fault = {
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

/** What Node's HTTP parser refuses reaches no route: it is answered on the socket itself, as a problem like any other. */
export function answerParserFault(error: ConnectionError, socket: Socket, publicUrl?: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  answerOnSocket(socket, faults[error.code] ?? malformed, publicUrl);
}

/** Answers a request that cannot be read to its end, and closes the connection. */
export function answerOnSocket(socket: Socket, { status, code, message }: Fault, publicUrl = ''): void {
  const requestId = randomUUID();
  const body = JSON.stringify({
    message,
    code,
    docs: publicUrl + problemDocsPath(code),
    request_id: requestId,
  } satisfies Problem);
  if (!socket.writable) return void socket.destroy();
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    // Whoever goes on writing keeps no half-closed connection.
    () => socket.destroy(),
  );
}

/** An `Expect` other than `100-continue` (RFC 9110, 10.1.1). */
export function answerExpectation({ socket }: ServerResponse, publicUrl?: string): void {
  if (socket) answerOnSocket(socket, unmetExpectation, publicUrl);
}
