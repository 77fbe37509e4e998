import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export type LetConnectionsGoOptions = {
  /** How long a connection that is accepted at the last moment has for asking something. */
  askWithinMs?: number;
  /** Requests without an answer by then are cut off; requests that wait for the network hand back sooner. */
  answerWithinMs?: number;
};

/**
 * A server that closes waits for its connections. A connection that is answered meanwhile would stay open for its next
 * request; an idle connection, which browsers open in advance, or an unfinished request, for a minute or more.
 */
export function letConnectionsGo(
  app: FastifyInstance,
  { askWithinMs = 500, answerWithinMs = 8_000 }: LetConnectionsGoOptions = {},
): void {
  /** How many requests each has under way. */
  const connections = new Map<Socket, number>();
  let isClosing = false;

  function count(socket: Socket, change: 1 | -1): void {
    const underWay = connections.get(socket);
    if (underWay !== undefined) connections.set(socket, underWay + change);
  }

  function cutOff(isToGo: (underWay: number) => boolean): void {
    for (const [socket, underWay] of connections) if (isToGo(underWay)) socket.destroy();
  }

  app.server.on('connection', (socket) => {
    connections.set(socket, 0);
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    const sweeping = setInterval(() => cutOff((underWay) => underWay === 0), askWithinMs);
    const givingUp = setTimeout(() => cutOff(() => true), answerWithinMs);
    app.server.once('close', () => {
      clearInterval(sweeping);
      clearTimeout(givingUp);
    });
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
}
