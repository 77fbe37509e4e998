import type { Lease } from '#server/modules/numbers/links/index.ts';
import { processPart } from '#server/process-part.ts';
import type { ClaimedMessage } from './outbox.ts';
import type { MessageRow } from './present.ts';

/** A place in a phone's session that is kept for one message while it is stored. */
export type Reservation = {
  lease: Lease;
  networkId: string;
  /** The message is committed as being sent under this reservation. */
  send(message: ClaimedMessage): void;
  /** The message is not handed over: the place is free again. */
  cancel(): void;
  /** Nobody knows: what was committed goes back to waiting. */
  abandon(): void;
};

/**
 * The short way between a process's API and its own phones: a message that is accepted where its phone is held is
 * stored as claimed and goes out at once, and whoever waits for its answer gets it without a detour through the database.
 * Everything else goes by the tables and NOTIFY, as it does when this way breaks off halfway.
 */
export type Handover = {
  /** Undefined when the phone is not held here, or has no room. */
  reserve(phoneId: number): Reservation | undefined;
  settled(rows: readonly MessageRow[]): void;
  serve(reserve: Handover['reserve']): () => void;
  onSettled(callback: (row: MessageRow) => void): () => void;
};

/** The one of this process. */
export const handoverOf = processPart(createHandover);

function createHandover(): Handover {
  let serving: Handover['reserve'] | undefined;
  const callbacks = new Set<(row: MessageRow) => void>();
  return {
    reserve: (phoneId) => serving?.(phoneId),
    settled(rows) {
      for (const row of rows) for (const callback of callbacks) callback(row);
    },
    serve(reserve) {
      serving = reserve;
      return () => {
        if (serving === reserve) serving = undefined;
      };
    },
    onSettled(callback) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
  };
}
