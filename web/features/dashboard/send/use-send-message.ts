import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi, type ApiCall, type Sender } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

type Sending = { sender: Sender; body: ApiCall<'POST /api/send-message'>['body'] };

/** Sends as a project. A try that was cut off and is repeated sends the same message, not a second one. */
export function useSendMessage() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ sender, body }: Sending) => callApi('POST /api/send-message', { body }, { sender }),
    onSuccess: (message) => {
      notify.success(message.status === 'pending' ? 'Message accepted, it is being sent' : 'Message sent successfully');
      void queryClient.invalidateQueries({ queryKey: queryKeys.messages(message.project_id) });
    },
  });
}
