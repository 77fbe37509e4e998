import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { LiveEvent } from '#contracts/live.ts';

/** A reader this far behind has gone or is stuck; a page that comes back asks for everything anew. */
const maxUnreadBytes = 64 * 1024;

/** An open reply of server-sent events (the HTML standard, 9.2). */
export type EventStream = {
  send(event: LiveEvent): void;
  /** A comment, which keeps proxies from closing a silent connection. */
  sendHeartbeat(): void;
  end(): void;
};

export function openEventStream(reply: FastifyReply, onClosed: () => void): EventStream {
  // A stream has no end to serialise: the framework leaves the reply to us.
  reply.hijack();
  const response: ServerResponse = reply.raw;
  response.on('close', onClosed);
  // A connection that breaks is no fault of ours, and `close` follows.
  response.on('error', () => response.destroy());
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, {
    // Once it ends nothing else comes over the connection, which must not keep a closing server waiting.
    connection: 'close',
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });

  function write(text: string): void {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > maxUnreadBytes) response.destroy();
  }

  write('retry: 2000\n\n');
  return {
    send: (event) => write(`data: ${JSON.stringify(event)}\n\n`),
    sendHeartbeat: () => write(': heartbeat\n\n'),
    end: () => response.end(),
  };
}
