import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { errorText } from './api-error.ts';
import { notify } from './ui/toast-store.ts';

type ItemAction<Item> = {
  act: (item: Item) => Promise<Item>;
  /** Said by toast. */
  done: string;
  failed: string;
  /** Of what shows the item alone, and of what lists it. */
  itemKey: (id: number) => QueryKey;
  listKey: QueryKey;
};

/** Changes the state of one item: what the answer says is shown at once, the lists are read again. */
export function useItemAction<Item extends { id: number }>(action: ItemAction<Item>) {
  const { act, done, failed, itemKey, listKey } = action;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (item) => {
      notify.success(done);
      queryClient.setQueryData(itemKey(item.id), item);
    },
    onError: (error) => notify.error(errorText(error, failed)),
    // After a refusal too: it tells that the item has moved on.
    onSettled: () => queryClient.invalidateQueries({ queryKey: listKey }),
  });
}
