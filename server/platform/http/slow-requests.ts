import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ConnectionFaults } from './connection-faults.ts';

export type RequestTimes = {
  /** From the first byte, or from the connection, to the end of the head. */
  headMs: number;
  /** From the head to the end of a body of the usual size. */
  bodyMs: number;
  /** A body that is read as a stream may take this long as a whole, */
  streamMs: number;
  /** and this long with less than a kibibyte. */
  streamIdleMs: number;
  /** The rest of a body that was refused is read, and thrown away, for so long. */
  refusedMs: number;
  /** How long a connection may carry nothing in either direction while it is answered. */
  idleMs: number;
  /** How often Node looks for connections that are late. */
  checkEveryMs: number;
};

export const requestTimes: RequestTimes = {
  headMs: 15_000,
  bodyMs: 30_000,
  streamMs: 30 * 60_000,
  streamIdleMs: 30_000,
  refusedMs: 10_000,
  idleMs: 120_000,
  checkEveryMs: 5_000,
};

type Options = Pick<ConnectionFaults, 'answerTooSlow'> & { times: RequestTimes };

const minStreamBytes = 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is read as a stream, for as long as something comes. */
    isStreamed?: boolean;
  }
}

/** Cuts off a request whose body comes too slowly, so that half-sent ones hold no connection and no memory. */
export function cutSlowBodies(app: FastifyInstance, options: Options): void {
  const watches = new Set<NodeJS.Timeout>();
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // Most bodies come with their heads, and are there before the next turn of the event loop.
    setImmediate(() => {
      if (isArriving(request)) watchBody(request, options, watches);
    });
    done(null, payload);
  });
  app.addHook('onClose', () => {
    for (const timer of watches) clearInterval(timer);
  });
}

/** The body has not come to its end. Requests that are injected come over no connection. */
export const isArriving = ({ raw }: FastifyRequest) => !raw.complete && !raw.destroyed && raw.socket instanceof Socket;

function watchBody(
  request: FastifyRequest,
  { times: { bodyMs, streamIdleMs }, answerTooSlow }: Options,
  watches: Set<NodeJS.Timeout>,
): void {
  const { raw } = request;
  const isStreamed = request.routeOptions.config.isStreamed === true;
  const { socket } = raw;
  let lastBytes = socket.bytesRead;
  // A process that was stopped, or busy, for so long reads what has come meanwhile before it judges.
  const check = () => setImmediate(judge);
  function judge() {
    if (raw.complete || socket.destroyed) return stop();
    // Bytes that wait in our own buffers are not the caller's delay.
    if (isStreamed && (socket.bytesRead - lastBytes >= minStreamBytes || raw.readableLength > 0)) {
      lastBytes = socket.bytesRead;
      return;
    }
    stop();
    request.log.info('a request body came too slowly');
    answerTooSlow(socket);
  }
  const timer = setInterval(check, isStreamed ? streamIdleMs : bodyMs);
  watches.add(timer);
  function stop() {
    clearInterval(timer);
    watches.delete(timer);
  }
  raw.once('end', stop);
  raw.once('close', stop);
}
