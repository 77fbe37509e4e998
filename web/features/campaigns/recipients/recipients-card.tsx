import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import type { Campaign } from '#contracts/campaigns.ts';
import type { Report } from '#contracts/reports.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { downloadFile } from '#web/shared/download.ts';
import { entriesPageSize as pageSize, LedgerCard, useEntrySearch } from '#web/shared/report/entries-card.tsx';
import { figureOf, type EntrySearch } from '#web/shared/report/entry-search.ts';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { outcomesPollMs } from '#web/shared/report/with-report.ts';
import { pollInterval } from '../campaign-queries.ts';
import { useRetryFailed } from '../report/campaign-report.tsx';
import { recipientColumns } from './recipient-columns.tsx';

function useRecipients(campaign: Campaign, { page = 1, search, ...entries }: EntrySearch) {
  const query = { page, pageSize, search, ...figureOf(entries) };
  return useQuery({
    queryKey: [...queryKeys.campaign(campaign.id), 'recipients', query],
    queryFn: ({ signal }) =>
      callApi('GET /api/campaigns/{campaignId}/recipients', { params: { campaignId: campaign.id }, query }, { signal }),
    refetchInterval: () => pollInterval([campaign]) || outcomesPollMs(campaign.finished_at),
    placeholderData: keepPreviousData,
  });
}

/** The recipients of the chosen figure, or all of them, and their outcomes. */
export function RecipientsCard({ campaign, report }: { campaign: Campaign; report: Report | undefined }) {
  const { search, change } = useEntrySearch();
  const query = useRecipients(campaign, search);
  const retry = useRetryFailed(campaign);
  return (
    <LedgerCard
      title="Recipients"
      one="recipient"
      source={{ of: 'campaign', id: campaign.id, name: campaign.name }}
      search={search}
      counts={campaign.total_count > 0 ? countsOf(campaign, report) : undefined}
      report={report}
      query={query}
      onChange={change}
      retry={{
        isRetrying: retry.isPending,
        onRetry: campaign.status === 'cancelled' ? undefined : () => retry.mutate(),
      }}
      download={() => downloadRecipients(campaign, search)}
      columns={recipientColumns(search)}
      rowKey={({ profile_id }) => profile_id}
      empty={<NoRecipients campaign={campaign} />}
    />
  );
}

function NoRecipients({ campaign: { status } }: { campaign: Campaign }) {
  const isYetToCome = status === 'scheduled' || status === 'creating';
  return (
    <EmptyState
      icon={<Users aria-hidden="true" />}
      title={isYetToCome ? 'No recipients yet' : 'No recipients'}
      hint={
        isYetToCome
          ? 'Whoever is in the segment when the campaign starts appears here.'
          : 'The campaign ended before it had any.'
      }
    />
  );
}

const countsOf = (campaign: Campaign, report: Report | undefined) => ({
  all: campaign.total_count,
  waiting: campaign.waiting_count,
  sent: campaign.sent_count,
  delivered: report?.delivered ?? campaign.delivered_count,
  read: report?.read ?? campaign.read_count,
  replied: report?.replied ?? campaign.replied_count,
  clicked: report?.clicked ?? campaign.clicked_count,
  opted_out: report?.opted_out ?? campaign.opted_out_count,
  failed: campaign.failed_count,
  skipped: campaign.skipped_count,
});

/** Downloads the recipients that the filters find, over all pages. */
const downloadRecipients = ({ id }: Campaign, search: EntrySearch) =>
  downloadFile(
    'GET /api/campaigns/{campaignId}/recipients/export',
    { params: { campaignId: id }, query: { search: search.search, ...figureOf(search) } },
    `campaign-${id}-recipients${search.status === undefined ? '' : `-${search.status}`}.csv`,
  );
