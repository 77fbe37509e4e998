import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { queryKeys } from '#web/shared/queries.ts';

/** Marks an import's report as seen, so that it causes no mail and no alert on the dashboard. */
export function useSeenImport({ id, status }: Pick<ProfileImport, 'id' | 'status'>): void {
  const queryClient = useQueryClient();
  const isOver = status === 'completed' || status === 'failed';
  useEffect(() => {
    if (!isOver) return;
    dismissAlertOf(id).then(
      (isDismissed) => isDismissed && void queryClient.invalidateQueries({ queryKey: queryKeys.alerts }),
      (error: unknown) => logFailure('An alert about an import could not be dismissed', error),
    );
  }, [id, isOver, queryClient]);
}

async function dismissAlertOf(importId: number): Promise<boolean> {
  const { data } = await callApi('GET /api/alerts', { query: {} });
  const alert = data.find(({ kind, subject_id }) => kind === 'import_done' && subject_id === importId);
  if (!alert) return false;
  await callApi('DELETE /api/alerts/{alertId}', { params: { alertId: alert.id } });
  return true;
}
