import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { teamQuery } from '../team/queries.ts';

/** Whether everybody in the account needs a second factor. */
export function DemandCard() {
  const isRequired = useSession().membership?.account.requires_two_factor === true;
  const team = useQuery(teamQuery());
  const [isAsking, setAsking] = useState(false);
  const demand = useMutation({
    mutationFn: (required: boolean) => callApi('PUT /api/account/two-factor', { body: { required } }),
    onSuccess: async ({ required }) => {
      notify.success(required ? 'A second factor is asked of everybody' : 'A second factor is up to everybody');
      await refreshCurrentUser();
    },
    onError: (error) => notify.error(errorText(error, 'Failed to save')),
  });
  const without = team.data?.members.filter((member) => !member.two_factor) ?? [];
  return (
    <Card id="everybody" title="For everybody in this account" description="Owners and admins decide this">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p>{isRequired ? 'A second factor is asked of everybody' : 'Require a second factor of everybody'}</p>
          <p className="text-13 text-muted">
            A passkey, or a password with an app. Keys of programs are not concerned.
          </p>
        </div>
        <Button
          size="small"
          busy={demand.isPending && 'Saving...'}
          onClick={() => (isRequired ? demand.mutate(false) : setAsking(true))}
        >
          {isRequired ? 'Do not require' : 'Require'}
        </Button>
      </div>
      {team.data && (
        <Share have={team.data.members.length - without.length} without={without.map(({ name }) => name)} />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Require a second factor of everybody?"
        confirmLabel="Require"
        busyLabel="Saving..."
        danger={false}
        onConfirm={async () => void (await demand.mutateAsync(true))}
      >
        {without.length === 0
          ? 'Everybody has one already. New members set one up before they see anything.'
          : `At once: ${without.map(({ name }) => name).join(', ')} can do nothing until they have set one up.`}
      </ConfirmDialog>
    </Card>
  );
}

const mostNames = 5;

/** How many of the members have a second factor, and who has none. */
function Share({ have, without }: { have: number; without: readonly string[] }) {
  const total = have + without.length;
  const others = without.length - mostNames;
  return (
    <div className="mt-4 rounded-base border bg-sunken p-3">
      <p className="text-13 font-medium">
        {have} of {total} have one
      </p>
      <div className="my-2 h-1 overflow-hidden rounded-full bg-gray-wash">
        <div className="h-full bg-accent" style={{ width: `${(have / Math.max(total, 1)) * 100}%` }} />
      </div>
      <p className="text-13 text-pretty wrap-anywhere text-muted">
        {without.length === 0
          ? 'Nobody is without.'
          : `Without: ${without.slice(0, mostNames).join(', ')}${others > 0 ? ` and ${others} more` : ''}`}
      </p>
    </div>
  );
}
