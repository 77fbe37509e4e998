import { useMutation } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { User } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { setUser } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const copyTexts = { copied: 'API key copied to clipboard', failed: 'Failed to copy API key' };

export function ApiKeyCard({ user }: { user: User }) {
  const [isAsking, setAsking] = useState(false);
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
        <Button size="small" icon={<RefreshCw aria-hidden="true" className="size-4" />} onClick={() => setAsking(true)}>
          Regenerate API key
        </Button>
      }
    >
      <CopyField label="API key" hideLabel secret value={user.api_key} texts={copyTexts} />
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
