import { Worker } from 'node:worker_threads';
import { createFairLimit } from '#server/platform/fair-limit.ts';
import { BusyError } from '#server/platform/errors.ts';
import type { Picture, PictureTask } from './picture-worker.ts';

const timeoutMs = 30_000;
const maxHeapMiB = 64;

/** Decoded, one takes some hundred megabytes. */
const limit = createFairLimit({
  maxRunning: 2,
  maxWaiting: 200,
  refusal: () => new BusyError('Too many pictures are being read. Try again in a moment.', 5),
});

/** Reads a picture in a thread of its own; undefined for one that is broken, or too large to decode. */
export function preparePicture(accountId: number, task: PictureTask): Promise<Picture | undefined> {
  return limit.run({ key: String(accountId), isKnown: true }, () => readInThread(task));
}

async function readInThread(task: PictureTask): Promise<Picture | undefined> {
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
  });
  const { promise, resolve } = Promise.withResolvers<Picture | undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  worker.on('message', (picture: Picture) => resolve(picture));
  worker.on('error', () => resolve(undefined));
  worker.on('exit', () => resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
