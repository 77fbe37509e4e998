import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** Prepares another run with the same rows, and leads there. */
export function DuplicateButton({ run }: { run: BulkRun }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const duplicate = useMutation({
    mutationFn: () => callApi('POST /api/bulk-runs/{runId}/duplicate', { params: { runId: run.id } }),
    onSuccess: async (copy) => {
      notify.success('Run duplicated');
      queryClient.setQueryData(queryKeys.bulkRun(copy.id), copy);
      await navigate({ to: paths.bulkRun, params: { runId: String(copy.id) }, search: {} });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to duplicate the run')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.bulkRuns }),
  });
  return (
    <Button
      needs="campaigns:write"
      icon={<Copy aria-hidden="true" className="size-4" />}
      disabled={run.is_uploading}
      busy={duplicate.isPending && 'Copying...'}
      onClick={() => duplicate.mutate()}
    >
      Duplicate
    </Button>
  );
}
