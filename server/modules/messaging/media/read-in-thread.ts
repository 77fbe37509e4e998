import { Worker } from 'node:worker_threads';

const timeoutMs = 30_000;
const maxHeapMiB = 64;

/** Has a worker do its one task, and answers its message; undefined where it failed, took too long, or wanted too much memory. */
export async function readInThread<T>(script: URL, task: object): Promise<T | undefined> {
  const worker = new Worker(script, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
  });
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  worker.on('message', (message: T) => resolve(message));
  worker.on('error', () => resolve(undefined));
  worker.on('exit', () => resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
