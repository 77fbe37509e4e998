import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isSimulated } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type DisconnectPhoneDialogProps = { isOpen: boolean; phone: PhoneNumber; title: string; onClose: () => void };

export function DisconnectPhoneDialog({ isOpen, phone, title, onClose }: DisconnectPhoneDialogProps) {
  const queryClient = useQueryClient();
  const disconnect = useMutation({
    mutationFn: () => callApi('POST /api/phone-numbers/{phoneId}/disconnect', { params: { phoneId: phone.id } }),
    onSuccess: () => {
      notify.success('Phone disconnected successfully');
      void queryClient.invalidateQueries({ queryKey: queryKeys.projects });
      void queryClient.invalidateQueries({ queryKey: queryKeys.phone(phone.id) });
      return queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(phone.project_id) });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to disconnect phone')),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Disconnect ${title}?`}
      confirmLabel="Disconnect"
      busyLabel="Disconnecting..."
      onConfirm={async () => void (await disconnect.mutateAsync())}
    >
      {isSimulated(phone.connector)
        ? 'Messages are no longer sent from this phone until you connect it again.'
        : 'Messages are no longer sent from this phone until you scan a new QR code.'}
    </ConfirmDialog>
  );
}
