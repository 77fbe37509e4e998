import type { Readable } from 'node:stream';
import { ProblemError } from '#server/platform/errors.ts';

/** Bytes from `start` to `end`, the last one included. */
export type ByteRange = { start: number; end: number };

export type StoredFile = { path: string; size: number; /** Hexadecimal. */ sha256: string };

/** The file is not there. */
export class FileMissingError extends Error {
  constructor(key: string) {
    super(`There is no file ${key}`);
    this.name = 'FileMissingError';
  }
}

/** The storage cannot be reached, or refuses what it is asked for; `cause` says why. */
export class StorageUnavailableError extends ProblemError {
  constructor(cause: unknown) {
    super(
      503,
      'storage_unavailable',
      'The storage of files cannot be reached at the moment. Try again in a few seconds.',
      {
        headers: { 'retry-after': '5' },
      },
    );
    this.cause = cause;
  }
}

/**
 * Where files lie. Keys are ours: letters, digits and slashes. All reject with `StorageUnavailableError` while the storage
 * cannot be reached.
 */
export type FileStore = {
  /** Takes a finished local file over: afterwards it need not be at `path`, and is there however the machine ends. */
  put(key: string, file: StoredFile): Promise<void>;
  /** Rejects with `FileMissingError` before anything is read. The caller reads the stream or destroys it. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Removing a missing file succeeds. */
  remove(key: string): Promise<void>;
};
