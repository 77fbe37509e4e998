import { createFairLimit } from '#server/platform/fair-limit.ts';
import { BusyError } from '#server/platform/errors.ts';
import { readInChild } from '../read-in-child.ts';
import type { Picture, PictureTask } from './picture-worker.ts';
import type { Portrait } from './portrait-worker.ts';

/** Decoded, one takes some hundred megabytes. With what it waits and what it takes it is done before its connection is. */
const limit = createFairLimit({
  maxRunning: 2,
  maxOfShare: 1,
  maxWaitMs: 60_000,
  maxWaiting: 200,
  refusal: () => new BusyError('Too many pictures are being read. Try again in a moment.', 5),
});

const script = new URL('./picture-worker.ts', import.meta.url);
const portraitScript = new URL('./portrait-worker.ts', import.meta.url);

/** Reads a picture in a process of its own; undefined for one that is broken, or too large to decode. */
export function preparePicture(accountId: number, task: PictureTask): Promise<Picture | undefined> {
  return limit.run({ key: String(accountId), isKnown: true }, () => readInChild<Picture>(script, task));
}

/** Cuts a picture to the square in which a person is shown; undefined as above. */
export async function cutPortrait(accountId: number, input: string): Promise<Uint8Array | undefined> {
  const portrait = await limit.run({ key: String(accountId), isKnown: true }, () =>
    readInChild<Portrait>(portraitScript, { input }),
  );
  return portrait?.jpeg;
}
