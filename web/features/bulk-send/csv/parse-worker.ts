import type { ContactList } from './contact.ts';
import { CsvError } from './csv-error.ts';
import { decodeText } from './decode-text.ts';
import { parseContacts } from './parse-contacts.ts';

export type ParseAnswer =
  | { kind: 'parsed'; list: ContactList }
  | { kind: 'refused'; reason: CsvError['reason']; message: string };

self.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has but its page
  self.postMessage(answer(data));
});

function answer(bytes: ArrayBuffer): ParseAnswer {
  try {
    return { kind: 'parsed', list: parseContacts(decodeText(bytes)) };
  } catch (error) {
    if (error instanceof CsvError) return { kind: 'refused', reason: error.reason, message: error.message };
    throw error;
  }
}
