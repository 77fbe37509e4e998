import type { ContactList } from './contact.ts';
import { CsvError } from './csv-error.ts';
import type { ParseAnswer } from './parse-worker.ts';

/** Reads a file of contacts beside the page. Throws `CsvError` for one that holds none, anything else when it cannot be read. */
export async function readContacts(file: File): Promise<ContactList> {
  const bytes = await file.arrayBuffer();
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), { type: 'module' });
  try {
    const answer = await askWorker(worker, bytes);
    if (answer.kind === 'refused') throw new CsvError(answer.reason, answer.message);
    return answer.list;
  } finally {
    worker.terminate();
  }
}

function askWorker(worker: Worker, bytes: ArrayBuffer): Promise<ParseAnswer> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<ParseAnswer>) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage(bytes, [bytes]);
  });
}
