import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import type { PhoneRow } from '#server/modules/phone-numbers/index.ts';
import type { Logger } from '#server/platform/logger.ts';
import { untilDone } from './until-done.ts';

/** Writes what becomes of one phone, in the order it came. */
export type StateWriter = {
  /** The phone as it was last read or written. */
  phone: PhoneRow;
  write(action: () => Promise<PhoneRow | void>): void;
  /** Resolves once everything written so far stands. */
  idle(): Promise<void>;
};

type Options = { phone: PhoneRow; signal: AbortSignal; logger: Logger; onFailed(): void };

const isStale = (error: unknown): boolean => error instanceof StaleLeaseError;

/** A write that fails is repeated until it stands; `onFailed` is called once the phone is another worker's. */
export function createStateWriter({ phone, signal, logger, onFailed }: Options): StateWriter {
  let writes: Promise<void> = Promise.resolve();
  const writer: StateWriter = {
    phone,
    write(action) {
      writes = writes
        .then(() => untilDone(action, { signal, logger, isFinal: isStale }))
        .then((row) => {
          if (row) writer.phone = row;
        })
        .catch(onFailed);
    },
    idle: () => writes,
  };
  return writer;
}
