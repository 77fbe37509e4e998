import type { QueryClient } from '@tanstack/react-query';
import type { Draft } from '#contracts/drafts.ts';
import { callApi } from '../api.ts';
import { errorText } from '../api-error.ts';
import { queryKeys } from '../queries.ts';
import { notify } from '../ui/toast-store.ts';
import type { DraftTarget } from './draft-keeper.ts';
import { findDraft } from './draft-queries.ts';

/** Discards what was typed, and says so by a toast that can put it back. */
export async function discardDraft(target: DraftTarget, queryClient: QueryClient): Promise<void> {
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.drafts });

  async function putBack({ content }: Draft): Promise<void> {
    try {
      await callApi('PUT /api/drafts/{kind}/{key}', { params: target, body: { content, revision: null } });
      notify.success('Undone');
    } catch (error) {
      notify.error(errorText(error, 'Failed to undo'));
    }
    await refresh();
  }

  try {
    const draft = await findDraft(target);
    if (draft !== null) {
      const query = { revision: draft.revision };
      await callApi('DELETE /api/drafts/{kind}/{key}', { params: target, query });
      notify.success('Draft discarded', { action: { label: 'Undo', onSelect: () => void putBack(draft) } });
    }
  } catch (error) {
    notify.error(errorText(error, 'Failed to discard the draft'));
  }
  await refresh();
}
