import type { MessageDirection, MessageStatus } from '#contracts/messages.ts';
import type { WebhookStatus } from '#contracts/webhooks.ts';
import { pagesInUrl } from '#web/shared/table/page-in-url.ts';

export const messageDirections: readonly MessageDirection[] = ['outgoing', 'incoming'];
export const messageStatuses: readonly MessageStatus[] = [
  'scheduled',
  'pending',
  'sent',
  'delivered',
  'read',
  'failed',
];
export const webhookStatuses: readonly WebhookStatus[] = ['success', 'failed', 'pending'];

/** The state of the two record tables of a project in the URL. */
export type RecordSearch = {
  messages?: number;
  webhooks?: number;
  direction?: MessageDirection;
  status?: MessageStatus;
  /** Part of a number. */
  number?: string;
  /** Only what this campaign sent. */
  campaign?: number;
  delivery?: WebhookStatus;
};

const maxNumberLength = 40;
const pages = pagesInUrl('messages', 'webhooks');

/** A route's `validateSearch`: what it does not know is left out. */
export function recordSearch(search: Record<string, unknown>): RecordSearch {
  const direction = messageDirections.find((known) => known === search['direction']);
  const status = messageStatuses.find((known) => known === search['status']);
  const delivery = webhookStatuses.find((known) => known === search['delivery']);
  const number = numberText(search['number']);
  const campaign = Number(search['campaign']);
  return {
    ...pages(search),
    ...(direction && { direction }),
    ...(status && { status }),
    ...(number !== '' && { number }),
    ...(Number.isSafeInteger(campaign) && campaign > 0 && { campaign }),
    ...(delivery && { delivery }),
  };
}

/** The router reads digits in a URL as a number. */
function numberText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, maxNumberLength) : '';
}
