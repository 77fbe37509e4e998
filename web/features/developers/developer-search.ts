import type { WebhookStatus } from '#contracts/webhooks.ts';
import { pagesInUrl } from '#web/shared/table/page-in-url.ts';
import type { RequestFilter } from './developer-queries.ts';

const deliveryStatuses: readonly WebhookStatus[] = ['success', 'failed', 'pending'];
export const outcomes = ['success', 'refused', 'failed'] as const;
/** Of the request log: from how long ago on. */
export const logHours = [1, 24, 168] as const;
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The state of the page in the URL; without a tab the keys. */
export type DeveloperSearch = {
  tab?: 'webhooks' | 'log';
  /** The endpoint whose form is open; `new`: of one to be made. */
  edited?: 'new' | number;
  /** Only the deliveries to this endpoint. */
  endpoint?: number;
  delivery?: WebhookStatus;
  /** A type of event, known or not. */
  event?: string;
  deliveries?: number;
  outcome?: (typeof outcomes)[number];
  method?: (typeof methods)[number];
  /** Of the request log: `auth_key`, `api_key` or the id of a project key. */
  key?: 'auth_key' | 'api_key' | number;
  /** A part of a path, or a whole request id. */
  find?: string;
  /** Only requests of the last so many hours. */
  hours?: (typeof logHours)[number];
};

const page = pagesInUrl('deliveries');
const idOf = (value: unknown) => (Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined);

/** The route's `validateSearch`: what it does not know is left out. */
export function developerSearch(search: Record<string, unknown>): DeveloperSearch {
  const tab = (['webhooks', 'log'] as const).find((known) => known === search['tab']);
  const endpoint = idOf(search['endpoint']);
  const edited = search['edited'] === 'new' ? 'new' : idOf(search['edited']);
  const delivery = deliveryStatuses.find((known) => known === search['delivery']);
  const event = typeof search['event'] === 'string' ? search['event'].slice(0, 60) : '';
  const outcome = outcomes.find((known) => known === search['outcome']);
  const method = methods.find((known) => known === search['method']);
  const key = (['auth_key', 'api_key'] as const).find((known) => known === search['key']) ?? idOf(search['key']);
  const hours = logHours.find((known) => known === Number(search['hours']));
  const find = typeof search['find'] === 'string' ? search['find'].slice(0, 200) : '';
  return {
    ...page(search),
    ...(tab && { tab }),
    ...(endpoint !== undefined && { endpoint }),
    ...(edited !== undefined && { edited }),
    ...(delivery && { delivery }),
    ...(event !== '' && { event }),
    ...(outcome && { outcome }),
    ...(method && { method }),
    ...(key !== undefined && { key }),
    ...(find !== '' && { find }),
    ...(hours && { hours }),
  };
}

const hourMs = 60 * 60_000;
const requestId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The request log's filter for the server. */
export function requestFilterOf(
  { outcome, method, key, find, hours }: DeveloperSearch,
  now = Date.now(),
): RequestFilter {
  return {
    ...(outcome && { outcome }),
    ...(method && { method }),
    ...(typeof key === 'number' ? { key_id: key } : key && { caller: key }),
    ...(hours && { created_after: new Date(now - hours * hourMs).toISOString() }),
    ...(find !== undefined && (requestId.test(find) ? { request_id: find } : { path: find })),
  };
}
