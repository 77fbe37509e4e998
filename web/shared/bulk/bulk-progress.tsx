import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import type { BulkAction } from '#contracts/bulk-actions.ts';
import { callApi } from '../api.ts';
import { errorText } from '../api-error.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Progress } from '../ui/progress.tsx';
import { notify } from '../ui/toast-store.ts';
import { bulkActionQuery, isUnderWay } from './bulk-queries.ts';
import { bulkDetail, bulkTitle } from './bulk-words.ts';

type BulkProgressProps = {
  actionId: number;
  /** Called when the action has progressed or ended, so that the list is stale. */
  onProgress: () => void;
  onClose: () => void;
};

/** How far a bulk action has come; stops it, and takes it back once it is over. The action goes on without the page. */
export function BulkProgress({ actionId, onProgress, onClose }: BulkProgressProps) {
  const queryClient = useQueryClient();
  const { data: action, error } = useQuery(bulkActionQuery(actionId));
  const progress = useEffectEvent(onProgress);
  const ending = action !== undefined && !isUnderWay(action) ? action.status : undefined;
  useEffect(() => {
    if (ending !== undefined) progress();
  }, [ending]);

  const show = (changed: BulkAction) => queryClient.setQueryData(bulkActionQuery(actionId).queryKey, changed);
  const stop = useMutation({
    mutationFn: () => callApi('POST /api/bulk-actions/{actionId}/cancel', { params: { actionId } }),
    onSuccess: show,
    onError: (failure) => notify.error(errorText(failure, 'Failed to stop')),
  });
  const undo = useMutation({
    mutationFn: () => callApi('POST /api/bulk-actions/{actionId}/undo', { params: { actionId } }),
    onSuccess: show,
    onError: (failure) => notify.error(errorText(failure, 'Failed to undo')),
  });

  if (action === undefined)
    return error === null ? null : <Frame title="Its progress cannot be read" onClose={onClose} />;
  const isUndoing = action.status === 'undoing';
  const isWaiting = action.status === 'working' && action.starts_at !== null && action.done_count === 0;
  return (
    <Frame title={bulkTitle(action)} detail={bulkDetail(action)} onClose={onClose}>
      {isUnderWay(action) && !isWaiting && (
        <div className="w-full sm:w-48">
          <Progress
            label={bulkTitle(action)}
            sent={isUndoing ? action.undone_count : action.done_count}
            total={isUndoing ? action.changed_count : action.total_count}
          >
            {' '}
          </Progress>
        </div>
      )}
      {action.status === 'working' && (
        <Button size="small" busy={stop.isPending && 'Stopping...'} onClick={() => stop.mutate()}>
          {isWaiting ? 'Undo' : 'Stop'}
        </Button>
      )}
      {action.can_undo && (
        <Button size="small" busy={undo.isPending && 'Undoing...'} onClick={() => undo.mutate()}>
          Undo
        </Button>
      )}
    </Frame>
  );
}

type FrameProps = { title: string; detail?: string; onClose: () => void; children?: React.ReactNode };

function Frame({ title, detail = '', onClose, children }: FrameProps) {
  return (
    <section
      aria-label="Bulk action"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-base border bg-surface px-4 py-2.5 sm:px-5"
    >
      <div role="status" className="min-w-0 flex-1 basis-60 tabular-nums">
        <p className="font-medium">{title}</p>
        {detail !== '' && <p className="text-13 wrap-anywhere text-muted">{detail}</p>}
      </div>
      {children}
      <IconButton label="Dismiss" icon={<X aria-hidden="true" className="size-4" />} onClick={onClose} />
    </section>
  );
}
