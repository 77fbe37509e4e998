import type { AlertKind } from '#contracts/alerts.ts';
import { healthReasons } from '#server/modules/numbers/health/index.ts';
import type { AlertFacts, LongWait } from './occasions/occasion.ts';

/** `isOver`: the words say that it has ended. `writeTime` writes a moment where the reader lives. */
type Reading = { isOver: boolean; writeTime(at: Date): string };
type Words = { title: string; text: string };
type Describe<K extends AlertKind> = (facts: AlertFacts[K], reading: Reading) => Words;

const waiting: Readonly<Record<LongWait, string>> = {
  no_connected_phone: 'No phone of its project is connected. Reconnect one, and it goes on by itself.',
  phones_inactive: 'The connected phones of its project are switched off. Switch one on, and it goes on by itself.',
  sandbox_resting: 'Only a sandbox of its project is connected, and it has stepped back. Connect WhatsApp again.',
  daily_limit: "All phones of its project have reached today's maximum. It goes on tomorrow, or with a further phone.",
  phone_limited: 'WhatsApp limits the phones of its project. It goes on by itself once that is over.',
  phone_capped: 'WhatsApp allows the phones of its project no more new chats for now. It goes on by itself.',
  phone_locked: 'WhatsApp has locked the phones of its project for a time. It goes on by itself.',
};

const lost = {
  disconnected: {
    state: 'has lost its link',
    reason: 'Nothing is sent from it until it is connected again. Look whether the handset is online.',
  },
  auth_failed: { state: 'could not sign in', reason: 'WhatsApp ended its link. Scan a code again.' },
  banned: { state: 'was banned by WhatsApp', reason: 'Nothing can be sent from it any more.' },
} as const;

const beyondAllowance = {
  send: 'Direct messages to further people still go out, but numbers are locked for that: at twice as many this one is watched.',
  queue: 'Once no phone of its project has any left, direct messages to further people wait for their pace.',
  refuse: 'Once no phone of its project has any left, direct messages to further people are refused.',
} as const;

const counted = (count: number) => count.toLocaleString('en');

const words: { readonly [K in AlertKind]: Describe<K> } = {
  phone_lost: ({ phone, status, error }, { isOver }) =>
    isOver
      ? { title: `${phone} is connected again`, text: 'It sends again, and what waited for it goes out.' }
      : { title: `${phone} ${lost[status].state}`, text: error ?? lost[status].reason },
  phone_limited: ({ phone, code, until }, { isOver, writeTime }) =>
    isOver
      ? { title: `${phone} is no longer limited`, text: 'It takes up sending again, slowly at first.' }
      : {
          title: `${phone} is limited by WhatsApp`,
          text: `${code === null ? 'Queued messages wait.' : healthReasons[code]}${until === null ? '' : ` Until ${writeTime(new Date(until))}.`}`,
        },
  campaign_waiting: ({ campaign, waiting_for: reason }, { isOver }) =>
    isOver
      ? { title: `“${campaign}” goes on`, text: 'What it waited for is there: messages go out again.' }
      : { title: `“${campaign}” has been waiting for over an hour`, text: waiting[reason] },
  campaign_failed: ({ campaign, error }) => ({ title: `“${campaign}” failed`, text: error }),
  webhook_failing: ({ project, url }, { isOver }) =>
    isOver
      ? { title: `The webhook of ${project} works again`, text: `${url} takes events again; what waited is sent.` }
      : {
          title: `The webhook of ${project} has failed for an hour`,
          text: `Every attempt at ${url} failed. Events are kept and tried again; after five days it is switched off.`,
        },
  import_done: ({ file, status, counts, error }) => {
    const name = file ?? 'Your file';
    if (status === 'failed') return { title: `The import of ${name} broke off`, text: error ?? 'Start it again.' };
    const invalid = counts.invalid === 0 ? '' : `, ${counted(counts.invalid)} that could not be read`;
    return {
      title: `${name} is imported`,
      text: `${counted(counts.new)} new, ${counted(counts.updated)} updated, ${counted(counts.skipped)} unchanged${invalid}.`,
    };
  },
  daily_limit_reached: ({ phone, most, until }, { writeTime }) => ({
    title: `${phone} has reached its daily maximum`,
    text: `It has sent ${counted(most)} ${most === 1 ? 'message' : 'messages'} today. It sends again from ${writeTime(new Date(until))}; until then others of its project do.`,
  }),
  first_contacts_low: ({ phone, used, allowed, until, beyond }, { writeTime }) => ({
    title: `${phone} has used ${counted(used)} of its ${counted(allowed)} first contacts today`,
    text: `${beyondAllowance[beyond]} It gets new ones at ${writeTime(new Date(until))}.`,
  }),
  first_contacts_used: ({ phone, used, allowed, until, beyond }, { writeTime }) => ({
    title: `${phone} has used its first contacts of today`,
    text: `It wrote to ${counted(used)} new people, of ${counted(allowed)}. ${beyondAllowance[beyond]} It gets new ones at ${writeTime(new Date(until))}.`,
  }),
};

/** Describes an occasion for a person. */
export function describeAlert<K extends AlertKind>(kind: K, facts: AlertFacts[K], reading: Reading): Words {
  return words[kind](facts, reading);
}
