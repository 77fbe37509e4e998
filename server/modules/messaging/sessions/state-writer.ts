import { setTimeout as delay } from 'node:timers/promises';
import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import type { PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import type { Logger } from '#server/platform/logger.ts';
import { pauseAfterFailures } from '#server/platform/runner.ts';

/** Writes what becomes of one phone, in the order it came. */
export type StateWriter = {
  /** The phone as it was last read or written. */
  phone: PhoneRow;
  write(action: () => Promise<PhoneRow | void>): void;
  /** Resolves once everything written so far stands. */
  idle(): Promise<void>;
};

type Options = {
  phone: PhoneRow;
  signal: AbortSignal;
  logger: Logger;
  /** A write can never stand: it is left out. */
  onUnstorable(error: unknown): void;
  /** The phone is another worker's. */
  onLost(): void;
};

/** A write that fails as the database is away or busy is repeated until it stands; the next ones wait for it. */
export function createStateWriter({ phone, signal, logger, onUnstorable, onLost }: Options): StateWriter {
  let writes: Promise<void> = Promise.resolve();

  async function write(action: () => Promise<PhoneRow | void>): Promise<void> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        const row = await action();
        if (row) writer.phone = row;
        return;
      } catch (error) {
        if (error instanceof StaleLeaseError) return onLost();
        if (!isTransient(error)) return onUnstorable(error);
        logger.warn({ err: error, failures }, 'a write failed and is repeated');
        await delay(pauseAfterFailures(failures), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const writer: StateWriter = {
    phone,
    write(action) {
      writes = writes.then(() => write(action));
    },
    idle: () => writes,
  };
  return writer;
}
