import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ConversationDetail } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

type Change = Partial<Pick<ConversationDetail, 'status' | 'assigned_to' | 'snoozed_until'>> & { read?: boolean };

/**
 * Changes the conversation that is open. `putAside` goes on to the next one afterwards, unless somebody left meanwhile, and
 * says what happened, with an undo.
 */
export function useUpdate(
  { id, project_id: projectId }: ConversationDetail,
  { planNext }: { planNext: () => () => void },
) {
  const queryClient = useQueryClient();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  async function update(body: Change, { onDone }: { onDone?: () => void } = {}): Promise<void> {
    try {
      await callApi('PATCH /api/conversations/{conversationId}', { params: { conversationId: id }, body });
      onDone?.();
      await queryClient.invalidateQueries({ queryKey: queryKeys.conversations });
      await queryClient.invalidateQueries({ queryKey: queryKeys.conversationList(projectId) });
    } catch (error) {
      notify.error(errorText(error, 'The conversation was not changed'));
    }
  }

  function putAside(body: Change, { text, undo }: { text: string; undo: Change }): Promise<void> {
    const goOn = planNext();
    const handleDone = () => {
      notify.success(text, { action: { label: 'Undo', onSelect: () => void update(undo) } });
      if (isShown.current) goOn();
    };
    return update(body, { onDone: handleDone });
  }

  return { update, putAside };
}
