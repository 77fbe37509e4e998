import type { Message } from '#contracts/messages.ts';
import { callWord } from './call-word.ts';

const words: Readonly<Record<Message['type'], string>> = {
  text: '',
  image: 'Picture',
  video: 'Video',
  audio: 'Audio',
  voice: 'Voice note',
  document: 'Document',
  sticker: 'Sticker',
  location: 'Place',
  contact: 'Contact',
  reaction: 'Reaction',
  edit: 'Edit',
  deletion: 'Deletion',
  poll: 'Poll',
  number_request: 'Asked for the phone number',
  template: 'Template',
  order: 'Order',
  payment: 'Payment',
  call: 'Call',
  waiting: 'Waiting for this message',
  unsupported: 'Message that cannot be shown here',
};

/** The kind of a message, for people; empty for a text. */
export const kindWord = (type: Message['type']): string => words[type];

const films = { gif: 'GIF', round: 'Video message' } as const;

/** The same of a message, whose video may be another kind of film. */
export function wordOf({ type, context }: Pick<Message, 'type' | 'context'>): string {
  const playAs = context?.play_as ?? null;
  return type === 'video' && playAs !== null ? films[playAs] : words[type];
}

/** A message on one line: its text, else what it carries. */
export function messageSummary(message: Message): string {
  if (message.deleted_at !== null) return 'This message was deleted';
  if (message.message !== '') return message.message.replaceAll(/\s+/g, ' ');
  const { media, location, contacts, order, call } = message;
  if (call !== null) return callWord(call);
  return (
    (media?.file_name ??
      location?.name ??
      location?.address ??
      order?.title ??
      contacts?.map(({ name }) => name).join(', ') ??
      '') ||
    wordOf(message)
  );
}

const sources: Readonly<Record<NonNullable<Message['source']>, string>> = {
  api: 'API',
  inbox: 'Inbox',
  campaign: 'Campaign',
  flow: 'Flow',
  bulk_run: 'Bulk send',
  handset: 'Handset',
  opt_out: 'Opt-out',
  call: 'Rejected call',
  history: 'Before linking',
};

/** The source of a message, for people. */
export const sourceWord = (source: NonNullable<Message['source']>): string => sources[source];
