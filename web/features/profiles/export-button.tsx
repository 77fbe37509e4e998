import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type ExportButtonProps = { search: string | undefined; optedOut: 'true' | 'false' | undefined };

/** All profiles as a file, or those that the search and the filter find. */
export function ExportButton({ search, optedOut }: ExportButtonProps) {
  const save = useMutation({
    mutationFn: () =>
      downloadFile('GET /api/profiles/export', { query: { search, opted_out: optedOut } }, 'profiles.csv'),
    onError: (error) => notify.error(errorText(error, 'Failed to export profiles')),
  });
  return (
    <Button
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Exporting...'}
      onClick={() => save.mutate()}
    >
      Export CSV
    </Button>
  );
}
