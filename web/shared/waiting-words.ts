import type { WaitingReason } from '#contracts/waiting-reason.ts';
import { formatDateTime } from './time-format.ts';

type Words = { short: string; remedy: string };

/** `goesOn` is a sentence. */
const wordsOf: Readonly<Record<WaitingReason, (goesOn: string) => Words>> = {
  no_connected_phone: () => ({
    short: 'Waiting for a connected phone',
    remedy: 'It goes on by itself as soon as a phone of the project is connected.',
  }),
  phones_inactive: () => ({
    short: 'Waiting: the phones are switched off',
    remedy: 'Switch on one of the connected phones of the project under Phone numbers, and it goes on by itself.',
  }),
  sandbox_resting: () => ({
    short: 'Waiting for a real phone',
    remedy: 'Only a sandbox is connected, and it has stepped back for your real phone. Connect WhatsApp again.',
  }),
  daily_limit: () => ({
    short: 'Waiting for tomorrow: the daily limit is reached',
    remedy: 'Every connected phone has sent as many messages as it may today. It goes on by itself tomorrow.',
  }),
  subscription: () => ({
    short: 'Waiting for an active subscription',
    remedy: 'It goes on by itself once the subscription is active again.',
  }),
  account_suspended: () => ({
    short: 'Waiting: the account is suspended',
    remedy: 'The note at the top of the page says why. It goes on by itself once the suspension is lifted.',
  }),
  contact_capped: (goesOn) => ({
    short: 'Waiting: these people have had as many messages as the caps allow',
    remedy: `Nobody gets more messages of campaigns and flows than you allow. ${goesOn}`,
  }),
  phone_allowance: (goesOn) => ({
    short: 'Waiting: today’s allowance is used up',
    remedy: `To protect the number, it writes to a limited number of people a day, and to more each week. ${goesOn}`,
  }),
  phone_linked_recently: (goesOn) => ({
    short: 'Waiting: the number was linked less than 24 hours ago',
    remedy: `Until then it writes to people alone who wrote to it, as WhatsApp is strict with new links. ${goesOn}`,
  }),
  phone_night: (goesOn) => ({
    short: 'Waiting for the morning',
    remedy: `It is night where these people live, and they never wrote to this number. ${goesOn}`,
  }),
  phone_hourly: (goesOn) => ({
    short: 'Waiting: enough messages for this hour',
    remedy: `To protect the number, it sends a limited number of messages an hour. ${goesOn}`,
  }),
  phone_limited: (goesOn) => ({
    short: 'Waiting: the number is limited',
    remedy: `WhatsApp limits what this number sends, or delivers none of it. Nothing is lost. ${goesOn}`,
  }),
  phone_capped: (goesOn) => ({
    short: 'Waiting: no new chats are left',
    remedy: `WhatsApp allows this number no more new chats in this cycle. ${goesOn}`,
  }),
  phone_locked: (goesOn) => ({
    short: 'Waiting: WhatsApp has locked the account',
    remedy: `The lock ends by itself, and the number connects again afterwards. ${goesOn}`,
  }),
  portfolio_limit: (goesOn) => ({
    short: 'Waiting: enough people for these 24 hours',
    remedy: `Meta lets the numbers of this business write to a limited number of people first in 24 hours. ${goesOn}`,
  }),
  phone_restricted: (goesOn) => ({
    short: 'Waiting: Meta restricts the number',
    remedy: `What Meta said is on the number’s page, and what to do in the WhatsApp Manager. Nothing is lost. ${goesOn}`,
  }),
  template_paused: (goesOn) => ({
    short: 'Waiting: the template is paused',
    remedy: `Meta pauses templates that many people block, and reviews changed ones. Nothing is lost. ${goesOn}`,
  }),
  template_changed: () => ({
    short: 'Waiting: the template has changed',
    remedy: 'It is not what was reviewed any more. Look at it, and let it go on.',
  }),
  template_unusable: () => ({
    short: 'Waiting: the template cannot be sent',
    remedy: 'Meta has rejected, disabled or deleted it. Choose another template, or mend this one.',
  }),
  phone_canary: (goesOn) => ({
    short: 'Waiting: one message is being tried',
    remedy: `A limit is over: one message goes out alone, and the others follow once it is delivered. ${goesOn}`,
  }),
};

/** The obstacle to sending, and when or how sending goes on: nothing is lost meanwhile. */
export function waitingWords(reason: WaitingReason, until: string | null): Words {
  const goesOn =
    until === null ? 'It goes on by itself.' : `It goes on by itself about ${formatDateTime(until)} at the soonest.`;
  return wordsOf[reason](goesOn);
}
