import type { EntryFilter } from '#contracts/campaigns.ts';
import type { Report } from '#contracts/reports.ts';
import type { Figure } from './entry-search.ts';

/** The noun for the counts of a report: people, or the messages that a flow may send a person several times. */
export type Noun = 'people' | 'messages';

const verbs: Readonly<Record<EntryFilter, Readonly<Record<Noun, string>>>> = {
  waiting: { people: 'still wait', messages: 'still wait' },
  pending: { people: 'are next', messages: 'are on their way' },
  sent: { people: 'were sent it', messages: 'were sent' },
  delivered: { people: 'got it', messages: 'arrived' },
  read: { people: 'read it', messages: 'were read' },
  clicked: { people: 'opened a link', messages: 'had a link opened' },
  replied: { people: 'replied', messages: 'were answered' },
  opted_out: { people: 'opted out by reply', messages: 'were answered by opting out' },
  failed: { people: 'failed', messages: 'failed' },
  skipped: { people: 'were skipped', messages: 'were skipped' },
};

const counted = (count: number, noun: Noun) =>
  `${count.toLocaleString('en')} ${count === 1 ? { people: 'person', messages: 'message' }[noun] : noun}`;

/** `1,284 people opened a link` */
export function figureTitle({ status, link, reason }: Figure, count: number, noun: Noun): string {
  if (link !== undefined) return `${counted(count, noun)} ${verbs.clicked[noun].replace(' a link', ' this link')}`;
  // 'People failed' would blame them.
  if (noun === 'people' && (status === 'failed' || (status === undefined && reason !== undefined))) {
    return `Failed for ${counted(count, noun)}`;
  }
  const verb = verbs[status ?? (reason === undefined ? 'sent' : 'failed')][noun];
  return `${counted(count, noun)} ${
    count === 1
      ? verb
          .replace(/^were /, 'was ')
          .replace(/^still wait$/, 'still waits')
          .replace(/^are /, 'is ')
          .replace('their', 'its')
      : verb
  }`;
}

/** The whole of which the figure is a part, and how many fell just short of it; the reason or the link itself where it is one. */
export function figureContext({ status, reason, link }: Figure, report: Report, noun: Noun): string | undefined {
  if (link !== undefined) return link;
  if (reason !== undefined) return reason;
  const { total, sent, delivered, read, clicked } = report;
  const ofSent = `of ${sent.toLocaleString('en')} ${noun === 'people' ? 'it was sent to' : 'that were sent'}`;
  const short = (count: number, words: string) =>
    count > 0 ? `${ofSent}; ${count.toLocaleString('en')} ${words}` : ofSent;
  switch (status) {
    case undefined:
      return undefined;
    case 'delivered':
      return short(sent - delivered, 'not delivered yet');
    case 'read':
      return short(delivered - read, 'delivered and not read');
    case 'clicked':
      return short(read - clicked, 'read and no link opened');
    case 'replied':
    case 'opted_out':
      return ofSent;
    default:
      return `of ${counted(total, noun)}`;
  }
}
