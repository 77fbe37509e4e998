import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { LabelColor } from '#contracts/conversation-labels.ts';
import type { ConversationLabel } from '#contracts/conversation-labels.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { Dialog, DialogBody, DialogFooter, keepsEscape } from '#web/shared/ui/dialog.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { StatusDot, statusWord } from '#web/shared/ui/status-badge.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { labelsQuery } from './use-labels.ts';

const inputClass = `${controlClass} h-(--control-small) min-w-0 flex-1 px-2.5 text-13`;
const colors = LabelColor.options.map((value) => ({ value, label: statusWord(value) }));

/** All labels of the account: made, renamed, coloured and deleted, on every conversation at once. */
export function LabelsDialog({ projectId, onClose }: { projectId: number; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { data, error } = useQuery(labelsQuery(projectId));
  const [doomed, setDoomed] = useState<ConversationLabel>();
  const [isBusy, setBusy] = useState(false);

  /** Answers whether it was done. */
  async function change(call: () => Promise<unknown>, failureText: string): Promise<boolean> {
    setBusy(true);
    try {
      await call();
      await queryClient.invalidateQueries({ queryKey: queryKeys.labels(projectId) });
      await queryClient.invalidateQueries({ queryKey: queryKeys.conversations });
      await queryClient.invalidateQueries({ queryKey: queryKeys.conversationList(projectId) });
      return true;
    } catch (failure) {
      notify.error(errorText(failure, failureText));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Dialog isOpen onClose={onClose} title="Labels" description="They are the account’s. Contacts never see them.">
        <DialogBody>
          <NewLabel
            isBusy={isBusy}
            onCreate={(name) =>
              change(() => callApi('POST /api/conversations/labels', { body: { name } }), 'The label was not made')
            }
          />
          {error !== null && <p role="alert">{errorText(error, 'Failed to fetch labels')}</p>}
          {data?.data.length === 0 && <p className="text-muted">No label yet.</p>}
          <ul className="grid gap-2" aria-label="Labels">
            {data?.data.map((label) => (
              <li key={label.id} className="flex items-center gap-2">
                <StatusDot color={label.color} />
                <LabelName
                  label={label}
                  onRename={(name) =>
                    change(
                      () =>
                        callApi('PATCH /api/conversations/labels/{labelId}', {
                          params: { labelId: label.id },
                          body: { name },
                        }),
                      'The label was not renamed',
                    )
                  }
                />
                <SelectInput
                  aria-label={`Colour of ${label.name}`}
                  size="small"
                  className="w-28"
                  options={colors}
                  value={label.color}
                  onChange={({ target }) =>
                    void change(
                      () =>
                        callApi('PATCH /api/conversations/labels/{labelId}', {
                          params: { labelId: label.id },
                          body: { color: LabelColor.parse(target.value) },
                        }),
                      'The label was not changed',
                    )
                  }
                />
                <IconButton
                  label={`Delete ${label.name}`}
                  icon={<Trash2 className="size-4" />}
                  onClick={() => setDoomed(label)}
                />
              </li>
            ))}
          </ul>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Close</Button>
        </DialogFooter>
      </Dialog>
      {doomed !== undefined && (
        <ConfirmDialog
          isOpen
          title={`Delete ${doomed.name}?`}
          confirmLabel="Delete label"
          busyLabel="Deleting..."
          onClose={() => setDoomed(undefined)}
          onConfirm={async () => {
            const isDone = await change(
              () => callApi('DELETE /api/conversations/labels/{labelId}', { params: { labelId: doomed.id } }),
              'The label was not deleted',
            );
            if (!isDone) throw new Error('The label was not deleted');
          }}
        >
          All conversations lose it. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}

type LabelNameProps = { label: ConversationLabel; onRename: (name: string) => Promise<boolean> };

/** Saved on Enter and when it is left; Escape takes the name back. */
function LabelName({ label, onRename }: LabelNameProps) {
  const [typed, setTyped] = useState<string>();
  const sent = useRef<string>(undefined);

  async function save(): Promise<void> {
    const name = typed?.trim() ?? '';
    // Enter sent it, and the field is left before the answer.
    if (name !== '' && name === sent.current) return;
    if (name !== '' && name !== label.name) {
      sent.current = name;
      await onRename(name);
      sent.current = undefined;
    }
    setTyped((now) => (now === typed ? undefined : now));
  }

  return (
    <input
      aria-label={`Name of ${label.name}`}
      dir="auto"
      maxLength={50}
      value={typed ?? label.name}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => void save()}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) void save();
        if (key === 'Escape') setTyped(undefined);
      }}
      {...(typed !== undefined && keepsEscape)}
      className={inputClass}
    />
  );
}

function NewLabel({ isBusy, onCreate }: { isBusy: boolean; onCreate: (name: string) => Promise<boolean> }) {
  const [text, setText] = useState('');
  const name = text.trim();
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '') void onCreate(name).then((isDone) => isDone && setText(''));
      }}
    >
      <input
        aria-label="New label"
        placeholder="New label"
        dir="auto"
        maxLength={50}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className={inputClass}
      />
      <Button type="submit" size="small" icon={<Plus className="size-4" />} disabled={name === '' || isBusy}>
        Add
      </Button>
    </form>
  );
}
