import type { ContactList } from '../csv/contact.ts';
import type { SettledOutcome } from './outcome.ts';

/** A file as it was loaded. */
export type Upload = ContactList & { id: string; fileName: string; fileBytes: number };

export type RunSettings = { projectId: number; delayMs: number; message: string };

/** What is sent to whom: `queue` holds places in the upload's contacts, in their order. */
export type RunPlan = RunSettings & { queue: Int32Array };

export type RunStatus = 'running' | 'paused' | 'stopped' | 'completed';

/** `savedAt` is when it was last known to be so, in epoch milliseconds. */
export type RunProgress = { status: RunStatus; savedAt: number };

export type StoredRun = {
  upload: Upload;
  plan: RunPlan | undefined;
  progress: RunProgress | undefined;
  outcomes: Map<number, SettledOutcome>;
};

const stores = ['uploads', 'plans', 'progress', 'outcomes'] as const;
type StoreName = (typeof stores)[number];

/** Keeps one user's upload and run in this browser. */
export type RunStorage = {
  load(): Promise<StoredRun | undefined>;
  /** Takes the place of what was there. */
  saveUpload(upload: Upload): Promise<void>;
  /** Begins a run; of the rows that are `retried`, what became of them earlier is forgotten. */
  saveRun(plan: RunPlan, progress: RunProgress, retried: Iterable<number>): Promise<void>;
  saveProgress(progress: RunProgress): Promise<void>;
  saveOutcome(index: number, outcome: SettledOutcome, progress: RunProgress): Promise<void>;
};

export async function openRunStorage(userId: number): Promise<RunStorage> {
  const database = await openDatabase(`dovepost.bulk-send.${userId}`);

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
      const [upload, plan, progress, keys, values] = await Promise.all([
        get<Upload | undefined>('uploads'),
        get<RunPlan | undefined>('plans'),
        get<RunProgress | undefined>('progress'),
        answer(outcomes.getAllKeys() as IDBRequest<number[]>),
        answer(outcomes.getAll() as IDBRequest<SettledOutcome[]>),
      ]);
      if (upload === undefined) return undefined;
      const entries = keys.flatMap((key, place) => {
        const outcome = values[place];
        return outcome === undefined ? [] : [[key, outcome] as const];
      });
      return { upload, plan, progress, outcomes: new Map(entries) };
    },
    saveUpload: (upload) =>
      write(stores, (store) => {
        for (const name of stores) store(name).clear();
        store('uploads').put(upload, 0);
      }),
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
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => {
    for (const store of stores) request.result.createObjectStore(store);
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
