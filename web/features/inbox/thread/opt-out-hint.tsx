import { useMutation, useQueryClient } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import type { ConversationDetail } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** The mark of a person who seems to want to opt out: one button does it, the other takes the mark off. */
export function OptOutHint({ conversation }: { conversation: ConversationDetail }) {
  const { id, project_id: projectId, phone, lid, may_want_to_opt_out: isMarked } = conversation;
  const queryClient = useQueryClient();
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: queryKeys.conversations });
    await queryClient.invalidateQueries({ queryKey: queryKeys.conversationList(projectId) });
  };
  const optOut = useMutation({
    mutationFn: (person: string) => callApi('POST /api/suppressions', { body: { phone: person } }),
    onSuccess: () => notify.success('Opted out: they get no more messages'),
    onError: (error) => notify.error(errorText(error, 'Failed to opt out')),
    onSettled: refresh,
  });
  const dismiss = useMutation({
    mutationFn: () =>
      callApi('PATCH /api/conversations/{conversationId}', {
        params: { conversationId: id },
        body: { may_want_to_opt_out: false },
      }),
    onError: (error) => notify.error(errorText(error, 'Failed to dismiss')),
    onSettled: refresh,
  });
  if (!isMarked) return null;
  const isBusy = optOut.isPending || dismiss.isPending;
  return (
    <fieldset className="mx-4 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-base bg-yellow-wash px-3 py-2 text-13 text-yellow-ink">
      <legend className="sr-only">May want to opt out</legend>
      <OctagonX aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-48 text-pretty">This person may want to opt out.</span>
      <span className="flex gap-2">
        <Button
          needs="contacts:write"
          size="small"
          disabled={isBusy}
          onClick={() => optOut.mutate(phone === null ? `lid:${lid}` : `+${phone}`)}
        >
          Opt out
        </Button>
        <Button needs="messages:send" size="small" variant="ghost" disabled={isBusy} onClick={() => dismiss.mutate()}>
          Dismiss
        </Button>
      </span>
    </fieldset>
  );
}
