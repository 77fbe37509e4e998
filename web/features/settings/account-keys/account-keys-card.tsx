import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AccountKey, NewAccountKeyAnswer } from '#contracts/account-keys.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { accountKeysQuery } from '#web/shared/queries.ts';
import { useIsNarrowed, useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { NewAccountKeyDialog } from './new-account-key-dialog.tsx';

/** Keys of the whole account, each for one program. */
export function AccountKeysCard() {
  const keys = useQuery(accountKeysQuery());
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<NewAccountKeyAnswer>();
  return (
    <Card
      id="account-keys"
      title="Keys of the account"
      description="One for each program, with no more than it needs"
      actions={
        <Button size="small" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setAdding(true)}>
          New account key
        </Button>
      }
    >
      {keys.isPending && <Skeleton className="h-12" />}
      {keys.isError && <ErrorPanel title="Failed to load the keys" onRetry={() => void keys.refetch()} />}
      {keys.data && (
        <ul className="divide-y">
          {keys.data.map((key) => (
            <KeyRow key={key.id ?? 0} accountKey={key} />
          ))}
        </ul>
      )}
      {isAdding && <NewAccountKeyDialog onClose={() => setAdding(false)} onMade={setMade} />}
      {made && (
        <Dialog
          isOpen
          isShownOnce
          onClose={() => setMade(undefined)}
          title={`Copy the key “${made.name}”`}
          description="It is shown this once."
        >
          <DialogBody>
            <CopyField
              label="Key"
              value={made.key}
              texts={{ copied: 'Key copied to clipboard', failed: 'Failed to copy key' }}
              hint="Keep it on your server. Programs send it as Authorization."
            />
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" onClick={() => setMade(undefined)}>
              I have copied it
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </Card>
  );
}

function KeyRow({ accountKey }: { accountKey: AccountKey }) {
  const { id, name, hint, scopes, addresses, expires_at, last_used_at, made_by } = accountKey;
  const [isAsking, setAsking] = useState(false);
  const { user } = useSession();
  const isNarrowed = useIsNarrowed();
  const mayDelete = !isNarrowed || made_by.id === user?.id;
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: (accountKeyId: number) =>
      callApi('DELETE /api/account/keys/{accountKeyId}', { params: { accountKeyId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeysQuery().queryKey }),
    onError: (error) => notify.error(errorText(error, 'Failed to delete key')),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere">
          <bdi>{name}</bdi> <code className="text-13 text-muted">{hint}…</code>
        </p>
        <p className="text-13 wrap-anywhere text-muted">
          {scopes === null ? 'All that its maker may do' : scopes.join(', ')}
          {addresses.length > 0 && ` · from ${addresses.join(', ')}`}
        </p>
        <p className="text-13 text-muted">
          By <bdi>{made_by.name}</bdi> · {last_used_at === null ? 'never used' : 'used '}
          {last_used_at !== null && <RelativeTime at={last_used_at} />}
          {expires_at !== null && (
            <>
              {' · ends '}
              <DateTime at={expires_at} />
            </>
          )}
        </p>
      </div>
      {id !== null && mayDelete && (
        <Button size="small" onClick={() => setAsking(true)}>
          Delete<span className="sr-only"> {name}</span>
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        onConfirm={async () => {
          if (id !== null) await remove.mutateAsync(id);
        }}
      >
        It stops at once. Programs that use it are refused.
      </ConfirmDialog>
    </li>
  );
}
