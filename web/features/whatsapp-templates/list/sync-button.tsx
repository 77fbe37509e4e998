import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** Reads the templates anew from Meta; it happens by itself too, every few hours and after news. */
export function SyncButton() {
  const queryClient = useQueryClient();
  const sync = useMutation({
    mutationFn: () => callApi('POST /api/whatsapp-templates/sync', { body: {} }),
    onSuccess: ({ added, changed, removed }) => {
      const news = [
        [added, 'new'],
        [changed, 'changed'],
        [removed, 'gone'],
      ].flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]));
      notify.success(news.length === 0 ? 'Everything is as Meta has it' : `Synced: ${news.join(', ')}`);
      return queryClient.invalidateQueries({ queryKey: queryKeys.whatsappTemplates });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to sync the templates')),
  });
  return (
    <Button
      needs="templates:write"
      size="small"
      icon={<RefreshCw aria-hidden="true" className="size-3.5" />}
      busy={sync.isPending && 'Syncing...'}
      onClick={() => sync.mutate()}
    >
      Sync now
    </Button>
  );
}
