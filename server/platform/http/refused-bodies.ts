import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isArriving } from './slow-requests.ts';

/**
 * Reads the rest of a body that was answered before it had come, and nobody reads any more, for this long: a caller that still
 * writes to a connection which is closed gets an error in place of its answer, as do proxies, which make a 502 of it
 * (RFC 9112, 9.6). Where the rest has come by then, the connection serves on.
 */
export function readRefusedBodies(app: FastifyInstance, { forMs }: { forMs: number }): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isArriving(request)) {
      reply.removeHeader('connection');
      reply.raw.once('finish', () => readOn(request, forMs));
    }
    done(null, payload);
  });
}

function readOn({ raw }: FastifyRequest, forMs: number): void {
  const { socket } = raw;
  const timer = setTimeout(() => socket.destroy(), forMs);
  // At its end, or with its connection, which may have many of them.
  raw.once('close', () => clearTimeout(timer));
  raw.resume();
}
