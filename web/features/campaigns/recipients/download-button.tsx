import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Campaign, EntryFilter } from '#contracts/campaigns.ts';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** All recipients as a file, or those of one status. */
export function DownloadButton({ campaign, status }: { campaign: Campaign; status: EntryFilter | undefined }) {
  const save = useMutation({
    mutationFn: () =>
      downloadFile(
        'GET /api/campaigns/{campaignId}/recipients/export',
        { params: { campaignId: campaign.id }, query: { status } },
        `campaign-${campaign.id}-recipients${status === undefined ? '' : `-${status}`}.csv`,
      ),
    onError: (error) => notify.error(errorText(error, 'Failed to download recipients')),
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
