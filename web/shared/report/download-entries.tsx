import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { errorText } from '../api-error.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/toast-store.ts';

type DownloadEntriesProps = {
  download: () => Promise<void>;
  /** 'Failed to download recipients' */
  failureText: string;
};

/** Downloads the shown entries as a file. */
export function DownloadEntries({ download, failureText }: DownloadEntriesProps) {
  const save = useMutation({
    mutationFn: download,
    onError: (error) => notify.error(errorText(error, failureText)),
  });
  return (
    <Button
      size="small"
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Downloading...'}
      onClick={() => save.mutate()}
    >
      Download CSV
    </Button>
  );
}
