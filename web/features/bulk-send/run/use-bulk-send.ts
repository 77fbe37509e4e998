import { useEffect, useState, useSyncExternalStore } from 'react';
import { logFailure } from '#web/shared/log-failure.ts';
import { openBulkSend, type BulkSend, type BulkSendState } from './bulk-send.ts';
import { databaseName } from './database-name.ts';
import { openRunStorage, type RunStorage, type Stored } from './run-storage.ts';

/** `elsewhere`: another tab has it; it opens here once that one lets go. */
type Opening = { kind: 'opening' } | { kind: 'elsewhere' } | { kind: 'open'; bulkSend: BulkSend };

const nothing: Stored = { upload: undefined, setup: undefined, run: undefined };

const forgetful: RunStorage = {
  load: () => Promise.resolve(nothing),
  saveUpload: () => Promise.resolve(),
  removeUpload: () => Promise.resolve(),
  saveSetup: () => Promise.resolve(),
  saveRun: () => Promise.resolve(),
  claimEnd: () => Promise.resolve(true),
};

/** The state that this browser keeps of the user's bulk send, in one tab at a time. A run goes on without the page. */
export function useBulkSend(userId: number | undefined): Opening {
  const [opening, setOpening] = useState<Opening>({ kind: 'opening' });
  useEffect(() => {
    if (userId === undefined) return;
    const left = new AbortController();
    const { signal } = left;
    void holdLock(databaseName(userId), {
      signal,
      onWait: () => setOpening({ kind: 'elsewhere' }),
      whileHeld: async () => {
        const bulkSend = await open(userId);
        if (signal.aborted) return;
        setOpening({ kind: 'open', bulkSend });
        await aborted(signal);
        bulkSend.leave();
      },
    });
    return () => left.abort();
  }, [userId]);
  return opening;
}

export function useBulkSendState(bulkSend: BulkSend): BulkSendState {
  return useSyncExternalStore(bulkSend.subscribe, bulkSend.getState);
}

async function open(userId: number): Promise<BulkSend> {
  try {
    const storage = await openRunStorage(userId);
    return openBulkSend(storage, await storage.load());
  } catch (error) {
    logFailure('This browser keeps no runs.', error);
    return openBulkSend(forgetful, nothing);
  }
}

type Holding = { signal: AbortSignal; onWait: () => void; whileHeld: () => Promise<void> };

/** Locks exist only on https and localhost; without them two tabs show the same file. */
async function holdLock(name: string, { signal, onWait, whileHeld }: Holding): Promise<void> {
  if (!('locks' in navigator)) return whileHeld();
  const { held = [] } = await navigator.locks.query();
  if (signal.aborted) return;
  if (held.some((lock) => lock.name === name)) onWait();
  try {
    await navigator.locks.request(name, { signal }, whileHeld);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}
