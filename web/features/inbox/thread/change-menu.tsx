import { useMutation } from '@tanstack/react-query';
import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import type { Message } from '#contracts/messages.ts';
import { MessageText } from '#contracts/new-message.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { changesLeft } from './changes-left.ts';

type ChangeMenuProps = {
  message: Message;
  now: number;
  onChanged: (message: Message) => void;
};

/** Edits a message that was sent, or deletes it for everybody, as long as WhatsApp lets one. */
export function ChangeMenu({ message, now, onChanged }: ChangeMenuProps) {
  const [open, setOpen] = useState<'edit' | 'deletion'>();
  const { editMinutes, canDelete } = changesLeft(message, now);
  const close = () => setOpen(undefined);
  if (editMinutes === 0 && !canDelete) return null;
  return (
    <>
      <Menu
        trigger={<IconButton label="Change" size="small" icon={<EllipsisVertical className="size-4" />} />}
        items={[
          ...(editMinutes === 0
            ? []
            : [
                {
                  label: `Edit (${editMinutes} min left)`,
                  icon: <Pencil className="size-4" />,
                  onSelect: () => setOpen('edit'),
                },
              ]),
          {
            label: 'Delete for everybody',
            icon: <Trash2 className="size-4" />,
            danger: true,
            onSelect: () => setOpen('deletion'),
          },
        ]}
      />
      {open === 'edit' && <EditDialog message={message} onChanged={onChanged} onClose={close} />}
      {open === 'deletion' && (
        <DeletionDialog
          onClose={close}
          title="Delete this message for everybody?"
          done="Message deleted"
          failed="The message was not deleted"
          remove={async () =>
            onChanged(await callApi('DELETE /api/messages/{messageId}', { params: { messageId: message.id } }))
          }
          onDeleted={async () => undefined}
        >
          Its recipient sees that a message was deleted. This cannot be undone.
        </DeletionDialog>
      )}
    </>
  );
}

const Edit = z.object({ message: MessageText });

function EditDialog({ message, onChanged, onClose }: Omit<ChangeMenuProps, 'now'> & { onClose: () => void }) {
  const form = useZodForm(Edit, { message: message.message });
  const edit = useMutation({
    mutationFn: (body: z.output<typeof Edit>) =>
      callApi('PATCH /api/messages/{messageId}', { params: { messageId: message.id }, body }),
    onSuccess: onChanged,
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit message"
      description="Its recipient sees the new text, and that it was edited."
      form={form}
      onSubmit={async (values) => void (await edit.mutateAsync(values))}
      submitLabel="Save"
      busyLabel="Saving..."
      failureText="The message was not edited"
    >
      <TextArea form={form} name="message" label="Text" rows={5} />
    </FormDialog>
  );
}
