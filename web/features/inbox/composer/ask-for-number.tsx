import { useMutation } from '@tanstack/react-query';
import type { Message } from '#contracts/messages.ts';
import { errorText } from '#web/shared/api-error.ts';
import { callApi } from '#web/shared/api.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type AskForNumberProps = { conversationId: number; disabled: boolean; onSent: (message: Message) => void };

/** Says that a person hides the number, who is answered all the same, and asks them for it. */
export function AskForNumber({ conversationId, disabled, onSent }: AskForNumberProps) {
  const ask = useMutation({
    mutationFn: () =>
      callApi('POST /api/conversations/{conversationId}/messages', {
        params: { conversationId },
        body: { type: 'number_request' },
      }),
    onSuccess: (message) => {
      onSent(message);
      notify.success('Asked for the number');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to ask for the number')),
  });
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-muted">
      <span className="min-w-0 flex-1 basis-48 text-pretty">
        This person hides the number: campaigns do not reach them until it is known.
      </span>
      <Button size="small" busy={ask.isPending} disabled={disabled || ask.isSuccess} onClick={() => ask.mutate()}>
        Ask for the number
      </Button>
    </p>
  );
}
