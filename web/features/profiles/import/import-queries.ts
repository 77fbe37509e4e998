import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { ImportStatus, ProfileImport, ReportedRows } from '#contracts/profile-imports.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

const pollMs = 1000;
export const rowsPageSize = 50;

export function isWorking(status: ImportStatus): boolean {
  return status === 'checking' || status === 'importing';
}

export function importsQuery() {
  return queryOptions({
    queryKey: [...queryKeys.profileImports, 'list'],
    queryFn: ({ signal }) => callApi('GET /api/profiles/imports', {}, { signal }),
  });
}

/** Asked again while it works in the background. */
export function importQuery(importId: number) {
  return queryOptions({
    queryKey: [...queryKeys.profileImports, importId],
    queryFn: ({ signal }) => callApi('GET /api/profiles/imports/{importId}', { params: { importId } }, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isWorking(state.data.status) ? pollMs : false),
    placeholderData: noPlaceholder,
  });
}

export function importRowsQuery(shown: ProfileImport, page: number, outcome: ReportedRows | undefined) {
  const query = { page, pageSize: rowsPageSize, outcome };
  return queryOptions({
    // Another check or the import itself writes the report anew.
    queryKey: [...queryKeys.profileImports, shown.id, 'rows', shown.status, shown.counts, query],
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles/imports/{importId}/rows', { params: { importId: shown.id }, query }, { signal }),
  });
}

export function showImport(queryClient: QueryClient, changed: ProfileImport): void {
  queryClient.setQueryData(importQuery(changed.id).queryKey, changed);
  void queryClient.invalidateQueries({ queryKey: importsQuery().queryKey });
}
