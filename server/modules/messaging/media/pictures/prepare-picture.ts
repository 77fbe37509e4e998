import { createFairLimit } from '#server/platform/fair-limit.ts';
import { BusyError } from '#server/platform/errors.ts';
import { readInChild } from '../read-in-child.ts';
import type { Picture, PictureTask } from './picture-worker.ts';

/** Decoded, one takes some hundred megabytes. With what it waits and what it takes it is done before its connection is. */
const limit = createFairLimit({
  maxRunning: 2,
  maxOfShare: 1,
  maxWaitMs: 60_000,
  maxWaiting: 200,
  refusal: () => new BusyError('Too many pictures are being read. Try again in a moment.', 5),
});

const script = new URL('./picture-worker.ts', import.meta.url);

/** Reads a picture in a process of its own; undefined for one that is broken, or too large to decode. */
export function preparePicture(accountId: number, task: PictureTask): Promise<Picture | undefined> {
  return limit.run({ key: String(accountId), isKnown: true }, () => readInChild<Picture>(script, task));
}
