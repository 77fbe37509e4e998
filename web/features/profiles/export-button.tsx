import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import type { filterOf } from './profile-search.ts';

type ExportButtonProps = { filter: ReturnType<typeof filterOf> };

/** All profiles as a file, or those that the search and the filter find. */
export function ExportButton({ filter }: ExportButtonProps) {
  const save = useMutation({
    mutationFn: () => downloadFile('GET /api/profiles/export', { query: filter }, 'profiles.csv'),
    onError: (error) => notify.error(errorText(error, 'Failed to export profiles')),
  });
  return (
    <Button
      needs="data:export"
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Exporting...'}
      onClick={() => save.mutate()}
    >
      Export CSV
    </Button>
  );
}
