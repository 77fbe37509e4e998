import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type DiscardButtonProps = { importId: number; isRunning?: boolean };

/** Forgets the file; stops the import where it runs. */
export function DiscardButton({ importId, isRunning = false }: DiscardButtonProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const discard = useMutation({
    mutationFn: () => callApi('DELETE /api/profiles/imports/{importId}', { params: { importId } }),
    onSuccess: async () => {
      await navigate({ to: paths.profileImport, search: {} });
      queryClient.removeQueries({ queryKey: [...queryKeys.profileImports, importId] });
      await queryClient.invalidateQueries({ queryKey: queryKeys.profileImports });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to discard the import')),
  });
  return (
    <>
      <Button variant="ghost-danger" onClick={() => setAsking(true)}>
        {isRunning ? 'Stop' : 'Discard'}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={isRunning ? 'Stop this import?' : 'Discard this import?'}
        confirmLabel={isRunning ? 'Stop' : 'Discard'}
        onConfirm={() => discard.mutateAsync()}
      >
        {isRunning
          ? 'Profiles that it has made or updated stay as they are now. Its file and its report are deleted.'
          : 'Its file is deleted. No profile changes.'}
      </ConfirmDialog>
    </>
  );
}
