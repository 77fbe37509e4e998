import type { Agent } from 'node:http';
import { Worker } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import { getMediaKeys } from 'baileys';
import type { proto } from 'baileys';
import { openFile } from '../proxy/open-file.ts';
import { HistoryReader } from './findings.ts';
import type { Findings } from './findings.ts';
import type { FromWorker, HistoryKeys, HistoryTask, ToWorker } from './history-worker.ts';

/** Small ones, such as those that say that there is no history, are not worth a thread. */
const maxInlineBytes = 16 * 1024;
const maxInflatedInline = 256 * 1024;
const pieceBytes = 256 * 1024;
const timeoutMs = 5 * 60_000;
/** Of the thread's own heap; what it reads is outside of it. */
const maxHeapMiB = 64;

export type HistoryOptions = {
  /** Where files are, such as `https://mmg.whatsapp.net`. */
  mediaOrigin: string;
  /** Connects through the phone's proxy. */
  agent: Agent | undefined;
  /** From when on messages are read, in seconds since 1970; undefined: none is. */
  since: number | undefined;
  /** Resolves once they are kept. */
  onFindings(findings: Findings): Promise<void>;
  signal: AbortSignal;
};

/**
 * A single thread at a time serves all phones of a process: a handset is in no hurry, and the machine has other work.
 */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads what a handset shares after linking: inside its notification, or in a file that is fetched. Large ones are taken
 * apart in a thread of their own, a piece at a time. Rejects where it cannot be read; nothing else comes of that.
 */
export async function readHistory(
  shared: proto.Message.IHistorySyncNotification,
  options: HistoryOptions,
): Promise<void> {
  const { initialHistBootstrapInlinePayload: inline, mediaKey, directPath } = shared;
  if (inline && inline.length <= maxInlineBytes) {
    const findings = readAtOnce(inline, options.since);
    if (findings) return options.onFindings(findings);
  }
  const turn = last.then(async () => {
    if (inline?.length) return readInThread(piecesOf([inline]), undefined, options);
    if (!mediaKey || !directPath) throw new Error('The history is nowhere');
    const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, 'md-msg-hist');
    if (!macKey) throw new Error('The history has no key');
    const file = await fetchFile(directPath, options);
    return readInThread(piecesOf(file), { cipherKey, iv, macKey }, options);
  });
  last = turn.catch(() => undefined);
  return turn;
}

function readAtOnce(payload: Uint8Array, since: number | undefined): Findings | undefined {
  const reader = new HistoryReader(since);
  let inflated: Buffer;
  try {
    inflated = inflateSync(payload, { maxOutputLength: maxInflatedInline });
  } catch {
    // Larger than it looked; or broken, which the thread says.
    return undefined;
  }
  const findings = reader.push(inflated);
  reader.end();
  return findings;
}

async function fetchFile(directPath: string, options: HistoryOptions): Promise<AsyncIterable<Uint8Array>> {
  const url = new URL(directPath, options.mediaOrigin);
  if (url.origin !== new URL(options.mediaOrigin).origin) throw new Error('The history is at a foreign address');
  return openFile(url, options);
}

/** A thread that is sent much at once holds all of it. */
async function* piecesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
  }
}

async function readInThread(
  pieces: AsyncGenerator<Uint8Array>,
  keys: HistoryKeys | undefined,
  { since, onFindings, signal }: HistoryOptions,
): Promise<void> {
  const worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
    workerData: { keys, since } satisfies HistoryTask,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
  });
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const send = async () => {
    const { value, done } = await pieces.next();
    worker.postMessage({ piece: done ? undefined : value } satisfies ToWorker, []);
  };
  let kept = Promise.resolve();
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'done') return void kept.then(resolve, reject);
    if (message.kind === 'findings') {
      kept = kept.then(() => onFindings(message.findings));
      return void kept.catch(reject);
    }
    // Findings are stored before the thread gets the next piece.
    kept.then(send).catch(reject);
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The thread that read a history ended')));
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const giveUp = () => reject(new Error('A history was given up'));
  if (timeout.aborted) giveUp();
  timeout.addEventListener('abort', giveUp, { once: true });
  try {
    send().catch(reject);
    await over;
  } finally {
    timeout.removeEventListener('abort', giveUp);
    await worker.terminate();
    await pieces.return(undefined);
  }
}
