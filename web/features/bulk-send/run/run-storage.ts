import type { ContactList } from '../csv/contact.ts';
import { databaseName } from './database-name.ts';
import type { Setup } from './setup.ts';

/** A file as it was loaded. */
export type Upload = ContactList & { id: string; fileName: string; fileBytes: number };

/**
 * The server's run of the file; `tested` is a row that had the message as a test, and is not sent to again;
 * `isAnnounced`: its end was.
 */
export type StoredRun = { runId: number; tested: number | undefined; isAnnounced?: true };

export type Stored = {
  /** Undefined before the first file, and once it is removed. */
  upload: Upload | undefined;
  /** The fields typed for the next run. */
  setup: Setup | undefined;
  run: StoredRun | undefined;
};

/** Of a file: they come and go with it. */
const fileStores = ['uploads', 'runs'] as const;
const stores = [...fileStores, 'setups'] as const;
type StoreName = (typeof stores)[number];

/** 3: runs are the server's; files keep every column. */
const version = 3;

/** Keeps one user's upload in this browser, and which run it has. */
export type RunStorage = {
  load(): Promise<Stored>;
  /** Takes the place of what was there. */
  saveUpload(upload: Upload): Promise<void>;
  /** Forgets the file and its run. */
  removeUpload(): Promise<void>;
  saveSetup(setup: Setup): Promise<void>;
  saveRun(run: StoredRun): Promise<void>;
  /** Whether its end is announced by whoever asks: the first, of all pages of this browser. */
  claimEnd(run: StoredRun): Promise<boolean>;
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
      const [upload, run, setup] = await Promise.all([
        get<Upload | undefined>('uploads'),
        get<StoredRun | undefined>('runs'),
        get<Setup | undefined>('setups'),
      ]);
      return { upload, run, setup };
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
    saveRun: (run) => write(['runs'], (store) => store('runs').put(run, 0)),
    async claimEnd(run) {
      const transaction = database.transaction(['runs'], 'readwrite');
      const store = transaction.objectStore('runs');
      const stored = await answer<StoredRun | undefined>(store.get(0));
      // Another run, or none, has taken its place meanwhile: nobody else knows of this one.
      const isKept = stored?.runId === run.runId;
      const isFirst = !isKept || stored.isAnnounced !== true;
      if (isKept && isFirst) store.put({ ...run, isAnnounced: true }, 0);
      await finished(transaction);
      return isFirst;
    },
  };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  request.addEventListener('upgradeneeded', () => {
    const { result } = request;
    // Files of earlier versions lack columns, and their runs were the page's.
    for (const store of result.objectStoreNames) if (store !== 'setups') result.deleteObjectStore(store);
    for (const store of stores) if (!result.objectStoreNames.contains(store)) result.createObjectStore(store);
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
