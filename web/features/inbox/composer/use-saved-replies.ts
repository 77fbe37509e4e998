import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Profile } from '#contracts/profiles.ts';
import { fillTemplate, placeholderUses } from '#contracts/template.ts';
import { callApi } from '#web/shared/api.ts';
import { hasPart } from '#web/shared/fold-text.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useDebounced } from '#web/shared/use-debounced.ts';

const pauseMs = 150;
const shownAtOnce = 20;
const longestSearch = 60;

export type SavedReply = { id: number; name: string; message: string };

/** The search after a slash that begins the text; undefined: no saved reply is looked for. */
export function slashSearch(text: string): string | undefined {
  return text.startsWith('/') && !text.includes('\n') && text.length <= longestSearch
    ? text.slice(1).trim()
    : undefined;
}

/** The saved texts that a search finds; `undefined` until the first answer. */
export function useSavedReplies(search: string | undefined) {
  const asked = useDebounced(search ?? '', pauseMs);
  const query = { pageSize: shownAtOnce, search: asked };
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.templates, query],
    queryFn: ({ signal }) => callApi('GET /api/templates', { query }, { signal }),
    enabled: search !== undefined,
    placeholderData: keepPreviousData,
  });
  const isStale = isPlaceholderData || asked !== search;
  // Some are of the search before: Enter, pressed at once, takes none that nobody looked for.
  const replies = isStale
    ? data?.data.filter(({ name, message }) => hasPart(`${name} ${message}`, search ?? ''))
    : data?.data;
  return { replies: isStale && replies?.length === 0 ? undefined : replies, error };
}

/** The text with the contact's values, and the placeholders that they have none for. */
export function fillReply(message: string, profile: Profile | undefined): { text: string; missing: string[] } {
  const missing = placeholderUses(message)
    .filter(({ path, fallback }) => fallback === undefined && valueAt(profile, path) === undefined)
    .map(({ path }) => path);
  return { text: fillTemplate(message, (path) => valueAt(profile, path)), missing: [...new Set(missing)] };
}

/** A column of the profile first, then a custom field; `custom_fields.` names the field alone. */
function valueAt(profile: Profile | undefined, path: string): string | undefined {
  if (profile === undefined) return undefined;
  const column = { name: profile.name, email: profile.email, phone: `+${profile.phone}`, status: profile.status }[path];
  if (column !== undefined && column !== null && column !== '') return column;
  return textAt(profile.custom_fields, path.replace(/^custom_fields\./, '').split('.'));
}

function textAt(value: unknown, keys: readonly string[]): string | undefined {
  const [key, ...rest] = keys;
  if (key !== undefined) {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isObject ? textAt((value as Record<string, unknown>)[key], rest) : undefined;
  }
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
