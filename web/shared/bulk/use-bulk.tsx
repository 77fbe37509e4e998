import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { BulkActionName, BulkFilter, BulkResource } from '#contracts/bulk-actions.ts';
import { callApi } from '../api.ts';
import { errorText } from '../api-error.ts';
import type { Selection } from '../table/use-selection.ts';
import { notify } from '../ui/toast-store.ts';
import { undoSeconds } from '../ui/undoable-deletion.ts';
import { BulkProgress } from './bulk-progress.tsx';
import { returningActionQuery } from './bulk-queries.ts';
import { keepAction } from './kept-action.ts';

type BulkOptions<Row> = {
  resource: BulkResource;
  selection: Selection<Row>;
  /** The filters of the list, for when everything in it is chosen. */
  filter: BulkFilter;
  /** The list is not what it was. */
  onProgress: () => void;
};

type StartOptions = {
  tags?: readonly string[];
  /** The action begins in a while, and can be undone until then. */
  isDelayed?: boolean;
};

export type Bulk = {
  start: (action: BulkActionName, options?: StartOptions) => Promise<void>;
  isStarting: boolean;
  /** How far the latest one has come, also one from before the page was loaded; nothing where there is none. */
  progress: ReactNode;
};

/** Bulk actions over what is chosen of a list. */
export function useBulk<Row>({ resource, selection, filter, onProgress }: BulkOptions<Row>): Bulk {
  const [startedId, setStartedId] = useState<number>();
  const [dismissedId, setDismissedId] = useState<number>();
  const { data: returningId } = useQuery(returningActionQuery(resource));
  const actionId = startedId ?? returningId ?? undefined;
  const start = useMutation({
    mutationFn: ({ action, tags = [], isDelayed }: StartOptions & { action: BulkActionName }) => {
      const chosen = selection.isAll ? { filter } : { ids: [...selection.ids] };
      return callApi('POST /api/bulk-actions', {
        body: {
          resource,
          action,
          ...chosen,
          ...(tags.length > 0 && { tags: [...tags] }),
          ...(isDelayed === true && { starts_in: undoSeconds }),
        },
      });
    },
    onSuccess: ({ id }) => {
      setStartedId(id);
      keepAction(resource, id);
      selection.clear();
      onProgress();
    },
    onError: (error) => notify.error(errorText(error, 'Failed to start')),
  });

  function dismiss(): void {
    setDismissedId(actionId);
    keepAction(resource, undefined);
  }

  return {
    start: async (action, options = {}) => {
      await start.mutateAsync({ action, ...options });
    },
    isStarting: start.isPending,
    progress: actionId !== undefined && actionId !== dismissedId && (
      <BulkProgress key={actionId} actionId={actionId} onProgress={onProgress} onClose={dismiss} />
    ),
  };
}
