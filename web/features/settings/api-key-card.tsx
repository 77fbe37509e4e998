import { useMutation } from '@tanstack/react-query';
import { Eye, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { User } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { loadCurrentUser, refreshCurrentUser } from '#web/shared/current-user.ts';
import { askForIdentity } from '#web/shared/identity-question.ts';
import { setUser, useIsNarrowed } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const copyTexts = { copied: 'API key copied to clipboard', failed: 'Failed to copy API key' };

export function ApiKeyCard({ user }: { user: User }) {
  const [isAsking, setAsking] = useState(false);
  const isNarrowed = useIsNarrowed();
  const regenerate = useMutation({
    mutationFn: () => callApi('POST /api/auth/regenerate-api-key'),
    onSuccess: async ({ api_key }) => {
      setUser({ ...user, api_key });
      notify.success('API key regenerated successfully');
      await refreshCurrentUser();
    },
    onError: (error) => notify.error(errorText(error, 'Failed to regenerate API key')),
  });
  return (
    <Card
      id="api-key"
      title="API key"
      description="Opens your whole account to a program. Keep it on your server."
      actions={
        !isNarrowed && (
          <Button
            size="small"
            icon={<RefreshCw aria-hidden="true" className="size-4" />}
            onClick={() => setAsking(true)}
          >
            Regenerate API key
          </Button>
        )
      }
    >
      {user.api_key === null ? (
        <HiddenKey />
      ) : (
        <CopyField label="API key" hideLabel secret value={user.api_key} texts={copyTexts} />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Regenerate the API key?"
        confirmLabel="Regenerate"
        busyLabel="Regenerating..."
        onConfirm={async () => void (await regenerate.mutateAsync())}
      >
        The old key stops at once. Programs that use it need the new one.
      </ConfirmDialog>
    </Card>
  );
}

/** The key is shown to who has lately shown who they are, and has made it or is an owner. */
function HiddenKey() {
  const show = useMutation({
    mutationFn: async () => ((await askForIdentity()) ? loadCurrentUser() : undefined),
    onSuccess: (current) => {
      if (current?.user.api_key === null)
        notify.info('Somebody else made this key. It is shown to them and to owners.');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to show the API key')),
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-13 text-muted">Covered until you show again that it is you.</p>
      <Button
        size="small"
        icon={<Eye aria-hidden="true" className="size-4" />}
        busy={show.isPending && 'Showing...'}
        onClick={() => show.mutate()}
      >
        Show API key
      </Button>
    </div>
  );
}
