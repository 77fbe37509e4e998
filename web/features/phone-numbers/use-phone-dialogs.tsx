import { useState, type ReactNode } from 'react';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { PhoneLinkDialog } from '#web/shared/phone-link/phone-link-dialog.tsx';
import { DeletePhoneDialog } from './delete-phone-dialog.tsx';
import { DisconnectPhoneDialog } from './disconnect-phone-dialog.tsx';
import { EditPhoneDialog } from './edit-phone-dialog.tsx';
import { IncomingMessageDialog } from './incoming-message-dialog.tsx';

type PhoneDialog = 'link' | 'edit' | 'delete' | 'disconnect' | 'incoming';

/** The dialogs about a phone, for its card and its row. */
export function usePhoneDialogs(phone: PhoneNumber): {
  title: string;
  open: (dialog: PhoneDialog) => void;
  dialogs: ReactNode;
} {
  const [shown, setShown] = useState<PhoneDialog>();
  const format = usePhoneFormat();
  const title = phone.name || format(phone.phone_number);
  const close = () => setShown(undefined);
  const dialogs = (
    <>
      {shown === 'link' && (
        <PhoneLinkDialog
          projectId={phone.project_id}
          phoneId={phone.id}
          phoneNumber={phone.phone_number}
          onClose={close}
        />
      )}
      {shown === 'edit' && <EditPhoneDialog phone={phone} onClose={close} />}
      {shown === 'incoming' && <IncomingMessageDialog phone={phone} title={title} onClose={close} />}
      <DisconnectPhoneDialog isOpen={shown === 'disconnect'} phone={phone} title={title} onClose={close} />
      <DeletePhoneDialog isOpen={shown === 'delete'} phone={phone} title={title} onClose={close} />
    </>
  );
  return { title, open: setShown, dialogs };
}
