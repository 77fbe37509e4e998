import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type DeletePhoneDialogProps = {
  isOpen: boolean;
  phone: PhoneNumber;
  title: string;
  onClose: () => void;
  onDeleted?: () => void;
};

export function DeletePhoneDialog({ isOpen, phone, title, onClose, onDeleted }: DeletePhoneDialogProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/phone-numbers/{phoneId}', { params: { phoneId: phone.id } }),
    onSuccess: () => {
      notify.success('Phone number deleted successfully', { durationMs: 2000 });
      void queryClient.invalidateQueries({ queryKey: queryKeys.projects });
      onDeleted?.();
      return queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(phone.project_id) });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete phone number')),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${title}?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={() => remove.mutateAsync()}
    >
      Are you sure you want to delete this phone number? This action cannot be undone.
    </ConfirmDialog>
  );
}
