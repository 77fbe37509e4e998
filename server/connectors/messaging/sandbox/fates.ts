/** The outcome of a message to one of these numbers; a message to any other is sent, delivered and read. */
const fates = {
  '14155550000': 'no_account',
  '14155550001': 'undelivered',
  '14155550002': 'refused',
  '14155550003': 'slow',
  '14155550004': 'failed_later',
  '14155550005': 'restricted',
  '14155550006': 'link_lost',
} as const;

export type Fate = (typeof fates)[keyof typeof fates] | 'read';

const byNumber: Readonly<Record<string, Fate>> = fates;

export const fateOf = (number: string): Fate => byNumber[number] ?? 'read';
