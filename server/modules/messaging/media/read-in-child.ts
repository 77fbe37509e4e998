import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const usualMs = 20_000;
const maxHeapMiB = 64;
/** A decoder runs below the priority of the process itself. */
const lowPriority = 10;

/**
 * Has a process of its own do its one task, and answers its message; undefined where it failed, took too long, or
 * wanted too much memory. The child gets nothing of our environment, and is gone when this answers: a thread would stay
 * in a decoder.
 */
export async function readInChild<T>(script: URL, task: object, timeoutMs = usualMs): Promise<T | undefined> {
  const child = fork(fileURLToPath(script), {
    env: {},
    execArgv: [`--max-old-space-size=${maxHeapMiB}`, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  lowerPriority(child.pid);
  const gone = Promise.withResolvers<void>();
  let answer: T | undefined;
  child.on('message', (message: T) => {
    answer = message;
    child.kill('SIGKILL');
  });
  child.on('error', () => gone.resolve());
  child.on('exit', () => gone.resolve());
  child.send(task, () => undefined);
  await gone.promise;
  return answer;
}

/** The process may be gone already. */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority);
  } catch {
    // Nothing is left to slow down.
  }
}

/** For the script: answers its one task, and ends. */
export function answerTask(work: (task: never) => Promise<object>): void {
  process.once('message', (task) => {
    void work(task as never).then(
      (answer) => process.send?.(answer),
      () => process.exit(1),
    );
  });
  // The parent is gone.
  process.once('disconnect', () => process.exit(1));
}
