import { useQuery } from '@tanstack/react-query';
import { Megaphone, X } from 'lucide-react';
import { campaignQuery } from '#web/shared/queries.ts';

/** Says that only one campaign's messages are shown; pressed, it shows all again. */
export function CampaignChip({ campaignId, onRemove }: { campaignId: number; onRemove: () => void }) {
  const { data: campaign } = useQuery(campaignQuery(campaignId));
  return (
    <button
      type="button"
      title="Show all messages"
      onClick={onRemove}
      className="inline-flex h-(--control-small) max-w-full items-center gap-1.5 rounded-base border bg-sunken px-2.5 text-13 font-medium hover:bg-hover"
    >
      <Megaphone aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 truncate">
        Campaign: <bdi>{campaign?.name ?? `#${campaignId}`}</bdi>
      </span>
      <X aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      <span className="sr-only">(show all messages)</span>
    </button>
  );
}
