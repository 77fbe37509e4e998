import { queryOptions } from '@tanstack/react-query';
import type { Draft, DraftKind } from '#contracts/drafts.ts';
import { callApi } from '../api.ts';
import { ApiError } from '../api-error.ts';
import { queryKeys } from '../queries.ts';
import type { DraftTarget } from './draft-keeper.ts';

export function draftsQuery(kind: DraftKind) {
  return queryOptions({
    queryKey: [...queryKeys.drafts, kind],
    queryFn: async ({ signal }) => (await callApi('GET /api/drafts', { query: { kind } }, { signal })).data,
  });
}

/** Null where there is none. The list is asked first: that there is none is the usual case, and no error. */
export async function findDraft({ kind, key }: DraftTarget): Promise<Draft | null> {
  const { data } = await callApi('GET /api/drafts', { query: { kind } });
  if (!data.some((draft) => draft.key === key)) return null;
  try {
    return await callApi('GET /api/drafts/{kind}/{key}', { params: { kind, key } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
