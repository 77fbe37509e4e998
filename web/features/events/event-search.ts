import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '#web/shared/use-search-change.ts';

export const eventSpans = [
  { value: '1h', label: 'the last hour', ms: 3_600_000 },
  { value: '24h', label: 'the last 24 hours', ms: 86_400_000 },
  { value: '7d', label: 'the last 7 days', ms: 7 * 86_400_000 },
  { value: '30d', label: 'the last 30 days', ms: 30 * 86_400_000 },
] as const;
export type EventSpan = (typeof eventSpans)[number]['value'];

/** The state of the explorer in the URL: one name, one person, the latest time. */
export type EventSearch = { name?: string; profile?: number; span?: EventSpan; names?: string };

/** A route's `validateSearch`: what it does not know is left out. */
export function eventSearch(search: Record<string, unknown>): EventSearch {
  const name = textOf(search['name']).slice(0, 100);
  const profile = Number(search['profile']);
  const span = eventSpans.find(({ value }) => value === search['span'])?.value;
  const names = textOf(search['names']).slice(0, 100);
  return {
    ...(name !== '' && { name }),
    ...(Number.isSafeInteger(profile) && profile > 0 && { profile }),
    ...(span && { span }),
    ...(names !== '' && { names }),
  };
}

/** A number, or true, that is typed into the address is read as one. */
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

type Change = { [Key in keyof EventSearch]?: EventSearch[Key] | undefined };

export function useEventSearch(): [search: EventSearch, change: (change: Change) => void] {
  const search = eventSearch(useSearch({ strict: false }));
  return [search, useSearchChange().change];
}
