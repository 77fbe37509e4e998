import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { callApi, type ApiCall, type Sender } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { randomId } from '#web/shared/random-id.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

type Sending = { sender: Sender; body: ApiCall<'POST /api/send-message'>['body'] };

/** Sends as a project. A try that was cut off and is repeated sends the same message, not a second one. */
export function useSendMessage() {
  const queryClient = useQueryClient();
  const lastTry = useRef<{ content: string; key: string }>(undefined);
  return useMutation({
    mutationFn: ({ sender, body }: Sending) => {
      const content = JSON.stringify([sender.id, body]);
      if (lastTry.current?.content !== content) lastTry.current = { content, key: randomId() };
      const headers = { 'idempotency-key': lastTry.current.key };
      return callApi('POST /api/send-message', { headers, body }, { sender });
    },
    onSuccess: (message) => {
      lastTry.current = undefined;
      notify.success(message.status === 'pending' ? 'Message accepted, it is being sent' : 'Message sent successfully');
      void queryClient.invalidateQueries({ queryKey: queryKeys.messages(message.project_id) });
    },
  });
}
