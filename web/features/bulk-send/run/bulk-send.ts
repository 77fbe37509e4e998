import type { BulkRun } from '#contracts/bulk-runs.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { randomId } from '#web/shared/random-id.ts';
import type { ContactList } from '../csv/contact.ts';
import type { Outcome } from './outcome.ts';
import type { RunStorage, Stored, StoredRun, Upload } from './run-storage.ts';
import { firstSetup, type Setup } from './setup.ts';

/** A message that was sent to try it out. */
export type TestedMessage = { index: number; projectId: number; key: string };

export type RunStatus = 'running' | 'paused' | 'stopped' | 'completed';

/** The server's run as the page shows it; of its rows, those that are `sent` and `failed` as far as it has heard. */
export type Run = StoredRun &
  Pick<BulkRun, 'waiting_for' | 'waiting_until'> & {
    status: RunStatus;
    total: number;
    sent: number;
    failed: number;
    /** For the time that is left: since when it has been watched without a break, and how many were done then. */
    pace: { since: number; done: number };
  };

/** Rows are named by their place in the upload's contacts. Each change makes a new state; nothing in one is ever altered. */
export type BulkSendState = {
  upload: Upload | undefined;
  setup: Setup;
  selected: ReadonlySet<number>;
  outcomes: ReadonlyMap<number, Outcome>;
  run: Run | undefined;
  /** The rows are on their way to the server. */
  isStarting: boolean;
  tested: TestedMessage | undefined;
};

/** The rows of a file, and the run of the server that sends to them. */
export type BulkSend = {
  getState: () => BulkSendState;
  change: (part: Partial<BulkSendState>) => void;
  subscribe: (listener: () => void) => () => void;
  storage: RunStorage;
  /** The stored state of a run; it is asked for once. */
  takeStoredRun: () => StoredRun | undefined;
  /** Ends the watching of a run, not the run. */
  watching: AbortController;
  /** The page is gone: nothing is watched from now on, whatever is still under way. */
  leave: () => void;
  hasLeft: () => boolean;
};

export function openBulkSend(storage: RunStorage, stored: Stored): BulkSend {
  const listeners = new Set<() => void>();
  let storedRun = stored.upload && stored.run;
  let hasLeft = false;
  let state: BulkSendState = {
    upload: stored.upload,
    // State stored by an earlier version has no file.
    setup: { ...firstSetup, ...stored.setup },
    selected: new Set(validRows(stored.upload)),
    outcomes: new Map(),
    run: undefined,
    isStarting: false,
    tested: undefined,
  };

  const bulkSend: BulkSend = {
    getState: () => state,
    change(part) {
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    storage,
    takeStoredRun() {
      const run = storedRun;
      storedRun = undefined;
      return run;
    },
    watching: new AbortController(),
    leave() {
      hasLeft = true;
      bulkSend.watching.abort();
    },
    hasLeft: () => hasLeft,
  };
  return bulkSend;
}

const validRows = (upload: Upload | undefined): number[] =>
  upload?.contacts.flatMap(({ problem }, index) => (problem === undefined ? [index] : [])) ?? [];

/** A file takes the place of the one before, and of its run. Valid rows are selected. */
export async function loadContacts(bulkSend: BulkSend, input: { file: File; list: ContactList }): Promise<void> {
  const { file, list } = input;
  const upload: Upload = { id: randomId(), fileName: file.name, fileBytes: file.size, ...list };
  const selected = new Set(validRows(upload));
  bulkSend.change({ upload, selected, outcomes: new Map(), run: undefined, tested: undefined });
  await keep(bulkSend.storage.saveUpload(upload));
}

/** The file goes, and what became of its rows with it; what is typed stays. */
export async function removeContacts(bulkSend: BulkSend): Promise<void> {
  const none = { upload: undefined, run: undefined, tested: undefined };
  bulkSend.change({ ...none, selected: new Set(), outcomes: new Map() });
  await keep(bulkSend.storage.removeUpload());
}

export async function changeSetup(bulkSend: BulkSend, part: Partial<Setup>): Promise<void> {
  const setup = { ...bulkSend.getState().setup, ...part };
  bulkSend.change({ setup });
  await keep(bulkSend.storage.saveSetup(setup));
}

/** Sending, or about to go on with it. */
export function isOpenRun({ run, isStarting }: BulkSendState): boolean {
  return isStarting || run?.status === 'running' || run?.status === 'paused';
}

export function isSent({ outcomes }: BulkSendState, index: number): boolean {
  return outcomes.get(index)?.status === 'sent';
}

/** A valid number that has not had its message. */
export function isSendable(state: BulkSendState, index: number): boolean {
  return state.upload?.contacts[index]?.problem === undefined && !isSent(state, index);
}

/** Without storage a run goes on all the same; only the page forgets which it is. */
export async function keep(saving: Promise<void>): Promise<void> {
  try {
    await saving;
  } catch (error) {
    logFailure('The run could not be stored.', error);
  }
}
