import { logFailure } from '#web/shared/log-failure.ts';
import { randomId } from '#web/shared/random-id.ts';
import type { ContactList } from '../csv/contact.ts';
import type { Outcome } from './outcome.ts';
import { restoreRun, type Run } from './restore-run.ts';
import type { RunStorage, StoredRun, Upload } from './run-storage.ts';
import { firstSetup, setupOf, type Setup } from './setup.ts';

/** A message that was sent to try it out. */
export type TestedMessage = { index: number; projectId: number; text: string; key: string };

/** Rows are named by their place in the upload's contacts. Each change makes a new state; nothing in one is ever altered. */
export type BulkSendState = {
  upload: Upload | undefined;
  setup: Setup;
  selected: ReadonlySet<number>;
  outcomes: ReadonlyMap<number, Outcome>;
  run: Run | undefined;
  tested: TestedMessage | undefined;
};

/** The rows of a file and the run that sends to them. */
export type BulkSend = {
  getState: () => BulkSendState;
  change: (part: Partial<BulkSendState>) => void;
  subscribe: (listener: () => void) => () => void;
  storage: RunStorage;
  /** Ends the run under way after its row. */
  halt: AbortController;
  /** The run under way, until its last row has ended. */
  working: Promise<unknown>;
};

export function openBulkSend(storage: RunStorage, stored: StoredRun): BulkSend {
  const listeners = new Set<() => void>();
  const run = restoreRun(stored, Date.now());
  const restored: BulkSendState = {
    upload: stored.upload,
    setup: stored.setup ?? (run ? setupOf(run) : firstSetup),
    selected: new Set(),
    outcomes: new Map(stored.outcomes),
    run,
    tested: undefined,
  };
  const among = run?.queue ?? restored.upload?.contacts.keys() ?? [];
  const selected = new Set([...among].filter((index) => isSendable(restored, index)));
  let state: BulkSendState = { ...restored, selected };

  return {
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
    halt: new AbortController(),
    working: Promise.resolve(),
  };
}

/** A file takes the place of the one before, and of its run. Valid rows are selected. */
export async function loadContacts(bulkSend: BulkSend, input: { file: File; list: ContactList }): Promise<void> {
  const { file, list } = input;
  const upload: Upload = { id: randomId(), fileName: file.name, fileBytes: file.size, ...list };
  const valid = upload.contacts.flatMap(({ problem }, index) => (problem === undefined ? [index] : []));
  bulkSend.change({ upload, selected: new Set(valid), outcomes: new Map(), run: undefined, tested: undefined });
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
export function isOpenRun({ run }: BulkSendState): boolean {
  return run?.status === 'running' || run?.status === 'paused';
}

export function isSent({ outcomes }: BulkSendState, index: number): boolean {
  return outcomes.get(index)?.status === 'sent';
}

/** A valid number that has not had its message. */
export function isSendable(state: BulkSendState, index: number): boolean {
  return state.upload?.contacts[index]?.problem === undefined && !isSent(state, index);
}

/** Without storage a run goes on all the same; only a reload would lose it. */
export async function keep(saving: Promise<void>): Promise<void> {
  try {
    await saving;
  } catch (error) {
    logFailure('The run could not be stored.', error);
  }
}
