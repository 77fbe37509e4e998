import { useQueryClient } from '@tanstack/react-query';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';

type DeletePhoneDialogProps = {
  isOpen: boolean;
  phone: PhoneNumber;
  title: string;
  onClose: () => void;
  onDeleted?: () => void;
};

export function DeletePhoneDialog({ isOpen, phone, title, onClose, onDeleted }: DeletePhoneDialogProps) {
  const queryClient = useQueryClient();
  return (
    <DeletionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${title}?`}
      done="Phone number deleted successfully"
      failed="Failed to delete phone number"
      remove={() => callApi('DELETE /api/phone-numbers/{phoneId}', { params: { phoneId: phone.id } })}
      onDeleted={async () => {
        void queryClient.invalidateQueries({ queryKey: queryKeys.projects });
        onDeleted?.();
        await queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(phone.project_id) });
      }}
    >
      Are you sure you want to delete this phone number? This action cannot be undone.
    </DeletionDialog>
  );
}
