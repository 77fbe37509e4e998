/** What becomes of a message to a recipient whose number ends like this; any other is sent, delivered and read. */
const fates = {
  '0000': 'no_account',
  '0001': 'undelivered',
  '0002': 'refused',
  '0003': 'slow',
  '0004': 'failed_later',
  '0005': 'restricted',
  '0006': 'link_lost',
} as const;

export type Fate = (typeof fates)[keyof typeof fates] | 'read';

const endings: Readonly<Record<string, Fate>> = fates;

export const fateOf = (number: string): Fate => endings[number.slice(-4)] ?? 'read';
