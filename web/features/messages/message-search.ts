import { useSearch } from '@tanstack/react-router';
import type { MessageSource, MessageType } from '#contracts/message-content.ts';
import type { MessageDirection, MessageStatus } from '#contracts/messages.ts';
import { useSearchChange } from '#web/shared/use-search-change.ts';

export const directions: readonly MessageDirection[] = ['outgoing', 'incoming'];
export const statuses: readonly MessageStatus[] = ['scheduled', 'pending', 'sent', 'delivered', 'read', 'failed'];
export const types: readonly MessageType[] = [
  'text',
  'image',
  'video',
  'audio',
  'voice',
  'document',
  'sticker',
  'location',
  'contact',
  'poll',
  'template',
  'order',
  'payment',
  'call',
  'waiting',
  'unsupported',
];
export const sources: readonly MessageSource[] = [
  'api',
  'inbox',
  'campaign',
  'flow',
  'bulk_run',
  'handset',
  'opt_out',
  'call',
  'history',
];

/** The state of the page in the URL; days as YYYY-MM-DD, both included. */
export type MessageSearch = {
  search?: string;
  from?: string;
  to?: string;
  direction?: MessageDirection;
  status?: MessageStatus;
  type?: MessageType;
  source?: MessageSource;
  /** The message whose drawer is open. */
  message?: number;
};

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

const oneOf = <Value extends string>(known: readonly Value[], value: unknown) => known.find((each) => each === value);

/** A route's `validateSearch`: what it does not know is left out. */
export function messageSearch(search: Record<string, unknown>): MessageSearch {
  const given = search['search'];
  const text = (typeof given === 'string' || typeof given === 'number' ? String(given) : '').slice(0, 100);
  const direction = oneOf(directions, search['direction']);
  const status = oneOf(statuses, search['status']);
  const type = oneOf(types, search['type']);
  const source = oneOf(sources, search['source']);
  const message = Number(search['message']);
  return {
    ...(text !== '' && { search: text }),
    ...(isDay(search['from']) && { from: search['from'] }),
    ...(isDay(search['to']) && { to: search['to'] }),
    ...(direction && { direction }),
    ...(status && { status }),
    ...(type && { type }),
    ...(source && { source }),
    ...(Number.isSafeInteger(message) && message > 0 && { message }),
  };
}

const dayMs = 24 * 60 * 60_000;

/** The filters as the server takes them; a day begins at this browser's midnight. */
export function filterOf({ search, from, to, direction, status, type, source }: MessageSearch) {
  const midnight = (day: string) => new Date(`${day}T00:00:00`);
  const after =
    to === undefined ? undefined : new Date(midnight(to).getTime() + dayMs + dayMs / 4).setHours(0, 0, 0, 0);
  return {
    search,
    direction,
    status,
    type,
    source,
    created_after: from === undefined ? undefined : midnight(from).toISOString(),
    created_before: after === undefined ? undefined : new Date(after).toISOString(),
  };
}

type Change = { [Key in keyof MessageSearch]?: MessageSearch[Key] | undefined };

export function useMessageSearch(): {
  search: MessageSearch;
  change: (change: Change) => void;
  open: (message: number) => void;
  close: () => void;
} {
  const search = messageSearch(useSearch({ strict: false }));
  const { change, open, close } = useSearchChange();
  return {
    search,
    change,
    open: (message) => open({ message }, { isOpen: search.message !== undefined }),
    close: () => close({ message: undefined }),
  };
}
