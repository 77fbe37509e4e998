import type { Duplex } from 'node:stream';
import pg from 'pg';

/** A method of pg's that its types leave out. */
type Attaching = { attachListeners(stream: Duplex): void };

/**
 * Has every connection of the process break at an answer that cannot be read. pg reads answers in an event of the
 * socket, where an error would end the process. PgBouncer sends such an answer when its server is killed amid a row: what
 * follows there is its own error, in place of the rest.
 */
export function breakAtUnreadableAnswers(): void {
  const connections = pg.Connection.prototype as unknown as Attaching;
  const attach = connections.attachListeners;
  connections.attachListeners = function attachGuarded(stream) {
    attach.call(this, stream);
    const read = stream.listeners('data').at(-1) as (chunk: Buffer) => void;
    stream.off('data', read);
    stream.on('data', (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (cause) {
        stream.destroy(new Error('Connection terminated, as the answer cannot be read', { cause }));
      }
    });
  };
}
