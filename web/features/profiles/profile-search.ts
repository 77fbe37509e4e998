import type { ProfileSort } from '#contracts/profiles.ts';
import { listSearch } from '#web/shared/table/list-search.ts';

const sorts = ['id', 'phone', 'name', 'created_at', 'updated_at'] as const satisfies readonly ProfileSort[];
const flags = ['true', 'false'] as const;

/** `tags`: with commas between; `expression`: its JSON; `dialog`: the form of a new profile is open. */
export const profileSearch = listSearch(sorts, {
  status: 'text',
  tags: 'text',
  opted_out: flags,
  valid: flags,
  on_whatsapp: flags,
  segment_id: 'id',
  expression: 'json',
  dialog: ['new'],
});
export type ProfileSearch = ReturnType<typeof profileSearch>;

/** The filters of the list, with its search. */
export function filterOf({
  search,
  status,
  tags,
  opted_out,
  valid,
  on_whatsapp,
  segment_id,
  expression,
}: ProfileSearch) {
  return { search, status, tags, opted_out, valid, on_whatsapp, segment_id, expression };
}

export const noFilter = {
  search: undefined,
  status: undefined,
  tags: undefined,
  opted_out: undefined,
  valid: undefined,
  on_whatsapp: undefined,
  segment_id: undefined,
  expression: undefined,
  page: undefined,
};
