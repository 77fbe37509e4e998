import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LinkedIdentity } from '#contracts/oidc.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { twoFactorQuery } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: async ({ signal }) => (await callApi('GET /api/user/identities', {}, { signal })).data,
});

/** The identities that are linked to the person; where there are none, nothing is shown. */
export function IdentitiesCard() {
  const identities = useQuery(identitiesQuery);
  if (identities.data?.length === 0 || identities.isPending) return null;
  return (
    <Card
      id="identities"
      title="Linked identities"
      description="Accounts elsewhere that sign you in here, without a password of Dovepost"
    >
      {identities.isError && (
        <ErrorPanel title="Failed to load the linked identities" onRetry={() => void identities.refetch()} />
      )}
      {identities.data && (
        <ul className="divide-y">
          {identities.data.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function IdentityRow({ identity: { id, issuer, label, linked_at: linkedAt } }: { identity: LinkedIdentity }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const name = label ?? issuer;
  const unlink = useMutation({
    mutationFn: () => callApi('DELETE /api/user/identities/{identityId}', { params: { identityId: id } }),
    onSuccess: async () => {
      notify.success(`${name} unlinked`);
      await queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: twoFactorQuery().queryKey });
    },
    onError: (error) => notify.error(errorText(error, `Failed to unlink ${name}`)),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-13 text-muted">
          Since <DateTime at={linkedAt} />
          {label === null && ' · not set up on this server any more'}
        </p>
      </div>
      <Button size="small" onClick={() => setAsking(true)}>
        Unlink<span className="sr-only"> {name}</span>
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Unlink ${name}?`}
        confirmLabel="Unlink"
        busyLabel="Unlinking..."
        onConfirm={() => unlink.mutateAsync()}
      >
        {label === null
          ? 'It is forgotten here.'
          : `It does not sign you in any more. Signing in there again, with the address that you have here, links it anew.`}
      </ConfirmDialog>
    </li>
  );
}
