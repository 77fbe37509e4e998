import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

export function ExportButton() {
  const save = useMutation({
    mutationFn: () => downloadFile('GET /api/suppressions/export', {}, 'opted-out.csv'),
    onError: (error) => notify.error(errorText(error, 'Failed to export the list')),
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
