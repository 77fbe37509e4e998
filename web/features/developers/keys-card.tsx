import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { KeyScope } from '#contracts/permissions.ts';
import type { ProjectKey } from '#contracts/project-keys.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DeleteAction, RowAction, RowActions } from '#web/shared/table/row-action.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useMediaQuery } from '#web/shared/use-media-query.ts';
import { useNow } from '#web/shared/use-now.ts';
import { projectKeysQuery } from './developer-queries.ts';
import { keyState } from './key-state.ts';
import { useMayGrant } from './may-grant.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { ShownKeyDialog } from './shown-key-dialog.tsx';
import type { ShownKey } from './shown-key-dialog.tsx';

/** The auth key stands in the table, too: it is the project's first. */
type KeyRow = Omit<ProjectKey, 'id' | 'created_at'> & { id: number | null };

export function KeysCard({ projectId }: { projectId: number }) {
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<ShownKey>();
  const [rotated, setRotated] = useState<KeyRow>();
  const [deleted, setDeleted] = useState<KeyRow>();
  const query = useQuery(projectKeysQuery(projectId));
  const remove = useDeleteKey(projectId);
  const mayGrant = useMayGrant();
  const now = useNow(60_000);
  const hasRoom = useMediaQuery('(min-width: 1280px), (max-width: 720px)');
  return (
    <Card
      flush
      title="Keys"
      description="A key does only what its scopes allow. The auth key of the project is the first one."
      actions={
        <Button
          needs="keys:write"
          size="small"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => setAdding(true)}
        >
          New key
        </Button>
      }
    >
      <DataTable
        label="Keys"
        columns={keyColumns({ now, hasRoom, mayGrant, onRotate: setRotated, onDelete: setDeleted })}
        rowKey={({ id }) => id ?? 0}
        query={{ ...query, data: query.data && { data: rowsOf(query.data) } }}
        empty="No keys yet."
        failureText="Failed to load keys"
        skeletonRows={2}
      />
      {isAdding && <NewKeyDialog projectId={projectId} onClose={() => setAdding(false)} onMade={setShown} />}
      {rotated !== undefined && rotated.id !== null && (
        <RotateKeyDialog
          projectId={projectId}
          keyId={rotated.id}
          name={rotated.name}
          onClose={() => setRotated(undefined)}
          onMade={setShown}
        />
      )}
      {shown !== undefined && <ShownKeyDialog shown={shown} onClose={() => setShown(undefined)} />}
      <ConfirmDialog
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={`Delete ${deleted?.name ?? 'the key'}?`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        onConfirm={async () => {
          if (deleted !== undefined && deleted.id !== null) await remove.mutateAsync(deleted.id);
        }}
      >
        It stops at once. Programs that use it are refused.
      </ConfirmDialog>
    </Card>
  );
}

function useDeleteKey(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (keyId: number) =>
      callApi('DELETE /api/projects/{projectId}/keys/{keyId}', { params: { projectId, keyId } }),
    onSuccess: () => {
      notify.success('Key deleted');
      return queryClient.invalidateQueries({ queryKey: queryKeys.projectKeys(projectId) });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete key')),
  });
}

function rowsOf({
  data,
  auth_key: authKey,
}: {
  data: ProjectKey[];
  auth_key: Pick<ProjectKey, 'hint' | 'scopes' | 'last_used_at'>;
}) {
  const first: KeyRow = {
    id: null,
    name: 'Auth key',
    addresses: [],
    expires_at: null,
    replaced_at: null,
    no_longer: [],
    ...authKey,
  };
  return [first, ...data];
}

type KeyActions = {
  now: number;
  hasRoom: boolean;
  mayGrant: (scope: KeyScope) => boolean;
  onRotate: (key: KeyRow) => void;
  onDelete: (key: KeyRow) => void;
};

const never = <span className="text-faint">Never</span>;

function keyColumns({ now, hasRoom, mayGrant, onRotate, onDelete }: KeyActions): readonly Column<KeyRow>[] {
  const columns: readonly Column<KeyRow>[] = [
    {
      id: 'name',
      header: 'Name',
      onCard: 'title',
      cell: ({ id, name, addresses }) => (
        <span className="block max-w-64 truncate font-medium max-[720px]:max-w-none" title={addresses.join(', ')}>
          <bdi>{name}</bdi>
          {id === null && <span className="ml-2 text-13 font-normal text-muted">first key</span>}
        </span>
      ),
    },
    { id: 'hint', header: 'Prefix', cell: ({ hint }) => <code className="text-12">{hint}…</code> },
    {
      id: 'scopes',
      header: 'Scopes',
      fluid: true,
      cell: ({ scopes, no_longer: lost }) => (
        <>
          <code className="text-12 text-muted" title={scopes.join(', ')}>
            {scopes.join(', ')}
          </code>
          {lost.length > 0 && (
            <span className="block text-12 text-yellow-ink">No longer shown to this key: {lost.join('; ')}</span>
          )}
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      onCard: 'badge',
      cell: (key) => {
        const { word, color } = keyState(key, now);
        return <Badge color={color}>{word}</Badge>;
      },
    },
    {
      id: 'used',
      header: 'Last use',
      cell: ({ last_used_at: at }) => (at === null ? never : <DateTime at={at} />),
    },
    { id: 'expires', header: 'Expires', cell: ({ expires_at: at }) => (at === null ? never : <DateTime at={at} />) },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      cell: (key) =>
        key.id === null ? null : (
          <RowActions>
            {key.scopes.every(mayGrant) && (
              <RowAction
                needs="keys:write"
                label="Rotate"
                subject={key.name}
                icon={<RefreshCw aria-hidden="true" className="size-4" />}
                onClick={() => onRotate(key)}
              />
            )}
            <DeleteAction needs="keys:write" subject={key.name} onClick={() => onDelete(key)} />
          </RowActions>
        ),
    },
  ];
  // The state says whether it ends soon.
  return hasRoom ? columns : columns.filter(({ id }) => id !== 'hint' && id !== 'expires');
}
