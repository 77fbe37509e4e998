import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User, UserChange } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Field } from '#web/shared/form/field.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { setUser } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const forEver = 'ever';
const choices = [30, 60, 90, 180, 365, 730];

function labelOf(days: number): string {
  if (days === 365) return '1 year';
  return days === 730 ? '2 years' : `${days} days`;
}

/** For how long messages and webhook records are kept; a shorter time deletes, and is asked about. */
export function KeptMessagesCard({ user }: { user: User }) {
  const kept = user.messages_kept_days;
  const [chosen, setChosen] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const save = useMutation({
    mutationFn: (body: UserChange) => callApi('PUT /api/user/me', { body }),
    onSuccess: (saved) => {
      setUser(saved);
      setChosen(undefined);
      notify.success('Saved how long messages are kept');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to save how long messages are kept')),
  });
  const value = chosen ?? String(kept ?? forEver);
  const days = value === forEver ? null : Number(value);
  const isShorter = days !== null && (kept === null || days < kept);
  const submit = () => save.mutateAsync({ messages_kept_days: days });
  const known = kept === null || choices.includes(kept) ? choices : [...choices, kept].toSorted((a, b) => a - b);

  return (
    <Card
      id="kept-messages"
      title="Kept messages"
      description="Messages and webhook records can be deleted by themselves once they are old enough."
      footer={
        <Button
          variant="primary"
          size="small"
          disabled={days === kept}
          busy={save.isPending && 'Saving...'}
          onClick={() => (isShorter ? setAsking(true) : void submit().catch(() => undefined))}
        >
          Save Changes<span className="sr-only"> of kept messages</span>
        </Button>
      }
    >
      <Field label="Keep messages for" hint="Profiles, campaigns, flows and their counts stay in any case.">
        {(control) => (
          <SelectInput
            {...control}
            value={value}
            onChange={({ target }) => setChosen(target.value)}
            options={[
              { value: forEver, label: 'As long as the account exists' },
              ...known.map((each) => ({ value: String(each), label: labelOf(each) })),
            ]}
          />
        )}
      </Field>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete what is older than ${days === null ? '' : labelOf(days)}?`}
        confirmLabel="Delete Old Messages"
        busyLabel="Saving..."
        onConfirm={async () => void (await submit())}
      >
        Messages and webhook records that are older are deleted within the hour, and from then on every day. They cannot
        be brought back.
      </ConfirmDialog>
    </Card>
  );
}
