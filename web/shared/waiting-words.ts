import type { WaitingReason } from '#contracts/campaigns.ts';

/** What keeps messages from going out, and what brings them on: nothing is lost meanwhile. */
export const waitingWords: Readonly<Record<WaitingReason, { short: string; remedy: string }>> = {
  no_connected_phone: {
    short: 'Waiting for a connected phone',
    remedy: 'It goes on by itself as soon as a phone of the project is connected.',
  },
  daily_limit: {
    short: 'Waiting for tomorrow: the daily limit is reached',
    remedy: 'Every connected phone has sent as many messages as it may today. It goes on by itself tomorrow.',
  },
  subscription: {
    short: 'Waiting for an active subscription',
    remedy: 'It goes on by itself once the subscription is active again.',
  },
};
