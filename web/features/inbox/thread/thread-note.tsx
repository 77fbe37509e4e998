import { useMutation, useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, Lock, Pencil, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ConversationNote } from '#contracts/conversation-notes.ts';
import { NewNote } from '#contracts/conversation-notes.ts';
import { findMentions } from '#contracts/mentions.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { formatDateTime, formatTime } from '#web/shared/time-format.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';

/** Between the messages, and unlike them: only members see it. */
export function ThreadNote({ note }: { note: ConversationNote }) {
  const ownId = useSession().user?.id;
  return (
    <article
      aria-label={`Note by ${note.author?.name ?? 'a program'}`}
      className="mx-auto w-full max-w-130 rounded-base border border-yellow-dot/40 bg-yellow-wash px-3 py-2 text-13"
    >
      <header className="flex min-w-0 items-center gap-2 text-12">
        <bdi className="truncate font-semibold text-ink">{note.author?.name ?? 'A program'}</bdi>
        <span className="flex shrink-0 items-center gap-1 text-yellow-ink">
          <Lock aria-hidden="true" className="size-3" />
          Note, not sent
        </span>
        <time
          dateTime={note.created_at}
          title={formatDateTime(note.created_at)}
          className="ml-auto shrink-0 text-muted tabular-nums"
        >
          {note.edited_at !== null && 'edited, '}
          {formatTime(note.created_at)}
        </time>
        {note.author !== null && note.author.id === ownId && <NoteMenu note={note} />}
      </header>
      <p dir="auto" className="pt-0.5 text-left wrap-anywhere whitespace-pre-wrap text-ink">
        {withMentions(note, ownId)}
      </p>
    </article>
  );
}

function withMentions({ text, mentions }: ConversationNote, ownId: number | undefined): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const mention of findMentions(text, mentions)) {
    const isOwn = ownId !== undefined && mention.ids.includes(ownId);
    parts.push(
      text.slice(end, mention.start),
      <b key={mention.start} className={isOwn ? 'rounded-small bg-accent-subtle px-0.5 text-accent-ink' : 'text-ink'}>
        {text.slice(mention.start, mention.end)}
      </b>,
    );
    end = mention.end;
  }
  return [...parts, text.slice(end)];
}

function NoteMenu({ note }: { note: ConversationNote }) {
  const [open, setOpen] = useState<'edit' | 'deletion'>();
  const queryClient = useQueryClient();
  const close = () => setOpen(undefined);
  const params = { conversationId: note.conversation_id, noteId: note.id };
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label="Change note"
            size="small"
            icon={<EllipsisVertical className="size-4" />}
            className="-my-1 -mr-1.5"
          />
        }
        items={[
          { label: 'Edit', icon: <Pencil className="size-4" />, onSelect: () => setOpen('edit') },
          {
            label: 'Delete',
            icon: <Trash2 className="size-4" />,
            danger: true,
            onSelect: () => setOpen('deletion'),
          },
        ]}
      />
      {open === 'edit' && <EditNote note={note} onClose={close} />}
      {open === 'deletion' && (
        <DeletionDialog
          onClose={close}
          title="Delete this note?"
          done="Note deleted"
          failed="The note was not deleted"
          remove={() => callApi('DELETE /api/conversations/{conversationId}/notes/{noteId}', { params })}
          onDeleted={() => queryClient.invalidateQueries({ queryKey: queryKeys.conversations })}
        >
          Nobody sees it any more. This cannot be undone.
        </DeletionDialog>
      )}
    </>
  );
}

function EditNote({ note, onClose }: { note: ConversationNote; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useZodForm(NewNote, { text: note.text });
  const edit = useMutation({
    mutationFn: ({ text }: { text: string }) =>
      callApi('PATCH /api/conversations/{conversationId}/notes/{noteId}', {
        params: { conversationId: note.conversation_id, noteId: note.id },
        body: { text },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.conversations }),
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit note"
      description="Only members see it. Whom it names now and did not before is told."
      form={form}
      onSubmit={async (values) => void (await edit.mutateAsync(values))}
      submitLabel="Save"
      busyLabel="Saving..."
      failureText="The note was not edited"
    >
      <TextArea form={form} name="text" label="Text" rows={5} />
    </FormDialog>
  );
}
