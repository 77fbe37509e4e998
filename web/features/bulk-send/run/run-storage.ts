import type { ContactList } from '../csv/contact.ts';
import { databaseName } from './database-name.ts';
import type { SettledOutcome } from './outcome.ts';
import type { RunSettings, Setup } from './setup.ts';

/** A file as it was loaded. */
export type Upload = ContactList & { id: string; fileName: string; fileBytes: number };

/** What is sent to whom: `queue` holds places in the upload's contacts, in their order. */
export type RunPlan = RunSettings & { queue: Int32Array };

export type RunStatus = 'running' | 'paused' | 'stopped' | 'completed';

/**
 * `savedAt` is when it was last known to be so, in epoch milliseconds. `tried` is the row that was under way or was not
 * answered then; of a running one it is the next without an outcome.
 */
export type RunProgress = { status: RunStatus; savedAt: number; tried?: number | undefined };

export type StoredRun = {
  /** Undefined before the first file, and once it is removed. */
  upload: Upload | undefined;
  /** What is typed for the next run. */
  setup: Setup | undefined;
  plan: RunPlan | undefined;
  progress: RunProgress | undefined;
  outcomes: Map<number, SettledOutcome>;
};

/** Of a file: they come and go with it. */
const fileStores = ['uploads', 'plans', 'progress', 'outcomes'] as const;
const stores = [...fileStores, 'setups'] as const;
type StoreName = (typeof stores)[number];

/** 2: the setup. */
const version = 2;

/** Keeps one user's upload and run in this browser. */
export type RunStorage = {
  load(): Promise<StoredRun>;
  /** Takes the place of what was there. */
  saveUpload(upload: Upload): Promise<void>;
  /** Forgets the file and its run. */
  removeUpload(): Promise<void>;
  saveSetup(setup: Setup): Promise<void>;
  /** Begins a run; of the rows that are `retried`, what became of them earlier is forgotten. */
  saveRun(plan: RunPlan, progress: RunProgress, retried: Iterable<number>): Promise<void>;
  saveProgress(progress: RunProgress): Promise<void>;
  saveOutcome(index: number, outcome: SettledOutcome, progress: RunProgress): Promise<void>;
};

export async function openRunStorage(userId: number): Promise<RunStorage> {
  const database = await openDatabase(databaseName(userId));
  // Another tab upgrades it, or the user has left and it goes.
  database.addEventListener('versionchange', () => database.close());

  async function write(names: readonly StoreName[], change: (store: (name: StoreName) => IDBObjectStore) => void) {
    const transaction = database.transaction([...names], 'readwrite');
    change((name) => transaction.objectStore(name));
    await finished(transaction);
  }

  return {
    async load() {
      const transaction = database.transaction(stores);
      const get = <T>(name: StoreName) => answer<T>(transaction.objectStore(name).get(0));
      const outcomes = transaction.objectStore('outcomes');
      const [upload, plan, progress, setup, keys, values] = await Promise.all([
        get<Upload | undefined>('uploads'),
        get<RunPlan | undefined>('plans'),
        get<RunProgress | undefined>('progress'),
        get<Setup | undefined>('setups'),
        answer(outcomes.getAllKeys() as IDBRequest<number[]>),
        answer(outcomes.getAll() as IDBRequest<SettledOutcome[]>),
      ]);
      const entries = keys.flatMap((key, place) => {
        const outcome = values[place];
        return outcome === undefined ? [] : [[key, outcome] as const];
      });
      return { upload, setup, plan, progress, outcomes: new Map(entries) };
    },
    saveUpload: (upload) =>
      write(fileStores, (store) => {
        for (const name of fileStores) store(name).clear();
        store('uploads').put(upload, 0);
      }),
    removeUpload: () =>
      write(fileStores, (store) => {
        for (const name of fileStores) store(name).clear();
      }),
    saveSetup: (setup) => write(['setups'], (store) => store('setups').put(setup, 0)),
    saveRun: (plan, progress, retried) =>
      write(['plans', 'progress', 'outcomes'], (store) => {
        for (const index of retried) store('outcomes').delete(index);
        store('plans').put(plan, 0);
        store('progress').put(progress, 0);
      }),
    saveProgress: (progress) => write(['progress'], (store) => store('progress').put(progress, 0)),
    saveOutcome: (index, outcome, progress) =>
      write(['outcomes', 'progress'], (store) => {
        store('outcomes').put(outcome, index);
        store('progress').put(progress, 0);
      }),
  };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  request.addEventListener('upgradeneeded', () => {
    const existing = request.result.objectStoreNames;
    for (const store of stores) if (!existing.contains(store)) request.result.createObjectStore(store);
  });
  return answer(request);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser refused to read')));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error('The browser refused to store'));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('error', fail);
    transaction.addEventListener('abort', fail);
  });
}
