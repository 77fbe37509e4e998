import { CsvError } from './csv-error.ts';
import { decodeText } from './decode-text.ts';
import { parseContacts, type FilePlan, type ParsedFile } from './parse-contacts.ts';

export type ParseAnswer = ParsedFile | { kind: 'refused'; reason: CsvError['reason']; message: string };

/** Without a plan the file's headers have to say how it is read. */
export type ParseRequest = { bytes: ArrayBuffer; plan: FilePlan | undefined };

self.addEventListener('message', ({ data }: MessageEvent<ParseRequest>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has but its page
  self.postMessage(answer(data));
});

function answer({ bytes, plan }: ParseRequest): ParseAnswer {
  try {
    return parseContacts(decodeText(bytes), plan);
  } catch (error) {
    if (error instanceof CsvError) return { kind: 'refused', reason: error.reason, message: error.message };
    throw error;
  }
}
