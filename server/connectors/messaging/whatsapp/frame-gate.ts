/**
 * Holds what is written to the network until everything it rests on is stored: the keys a message was encrypted with,
 * the messages and receipts a confirmation speaks of. Frames keep their order, as their encryption demands.
 */
export type FrameGate = {
  /** Frames written from now on wait for this work too. Its failure shuts the gate for good. */
  waitFor(work: Promise<void>): void;
  /** Writes at once when nothing is waited for. */
  pass(write: () => void): void;
  /** Everything written so far is out, or was dropped. */
  idle(): Promise<void>;
  /** Drops what waits and everything that comes. */
  shut(): void;
};

export function createFrameGate(onFailure: (error: unknown) => void): FrameGate {
  let pending: Promise<unknown> | undefined;
  let queue: { after: Promise<unknown> | undefined; write: () => void }[] = [];
  let draining: Promise<void> | undefined;
  let isShut = false;

  function shut(): void {
    isShut = true;
    queue = [];
  }

  function fail(error: unknown): void {
    if (isShut) return;
    shut();
    onFailure(error);
  }

  async function drain(): Promise<void> {
    for (let frame = queue.shift(); frame; frame = queue.shift()) {
      await frame.after;
      if (isShut) break;
      frame.write();
    }
  }

  return {
    waitFor(work) {
      // Without the results: where there is always something to wait for, they would hold each other for ever.
      const all: Promise<unknown> = pending ? Promise.all([pending, work]).then(() => undefined) : work;
      pending = all;
      all.then(() => {
        if (pending === all) pending = undefined;
      }, fail);
    },
    pass(write) {
      if (isShut) return;
      if (!pending && !draining) return write();
      queue.push({ after: pending, write });
      draining ??= drain()
        .catch(fail)
        .finally(() => (draining = undefined));
    },
    idle: async () => draining,
    shut,
  };
}
