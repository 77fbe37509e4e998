import { CsvError } from './csv-error.ts';
import type { FilePlan, ParsedFile } from './parse-contacts.ts';
import type { ParseAnswer, ParseRequest } from './parse-worker.ts';

/** Reads a file of contacts beside the page, or asks how it is read. Throws `CsvError` for one that holds none, anything else when it cannot be read. */
export async function readContacts(file: File, plan?: FilePlan): Promise<ParsedFile> {
  const bytes = await file.arrayBuffer();
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), { type: 'module' });
  try {
    const answer = await askWorker(worker, { bytes, plan });
    if (answer.kind === 'refused') throw new CsvError(answer.reason, answer.message);
    return answer;
  } finally {
    worker.terminate();
  }
}

function askWorker(worker: Worker, request: ParseRequest): Promise<ParseAnswer> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<ParseAnswer>) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage(request, [request.bytes]);
  });
}
