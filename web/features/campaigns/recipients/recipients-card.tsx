import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import type { Campaign, EntryFilter } from '#contracts/campaigns.ts';
import type { Report } from '#contracts/reports.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { downloadFile } from '#web/shared/download.ts';
import { DownloadEntries } from '#web/shared/report/download-entries.tsx';
import { entrySearch, onPage, type EntrySearch } from '#web/shared/report/entry-search.ts';
import { EntryTools } from '#web/shared/report/entry-tools.tsx';
import { RetryEntries } from '#web/shared/report/retry-entries.tsx';
import { SegmentOfEntries } from '#web/shared/report/segment-of-entries.tsx';
import { NoEntryMatches } from '#web/shared/report/no-entry-matches.tsx';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { pollInterval } from '../campaign-queries.ts';
import { useRetryFailed } from '../report/campaign-report.tsx';
import { recipientColumns } from './recipient-columns.tsx';

const pageSize = 50;

function useRecipients(campaign: Campaign, { page = 1, search, status }: EntrySearch) {
  const query = { page, pageSize, search, status };
  return useQuery({
    queryKey: [...queryKeys.campaign(campaign.id), 'recipients', query],
    queryFn: ({ signal }) =>
      callApi('GET /api/campaigns/{campaignId}/recipients', { params: { campaignId: campaign.id }, query }, { signal }),
    refetchInterval: pollInterval([campaign]),
    placeholderData: keepPreviousData,
  });
}

/** The recipients and their outcomes. */
export function RecipientsCard({ campaign, report }: { campaign: Campaign; report: Report | undefined }) {
  const search = entrySearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const query = useRecipients(campaign, search);
  const change = (next: EntrySearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  const { page = 1, search: text, status } = search;
  const retry = useRetryFailed(campaign);
  return (
    <Card
      flush
      id="entries"
      title="Recipients"
      actions={
        campaign.total_count > 0 && (
          <>
            {status === 'failed' && report !== undefined && (
              <RetryEntries
                report={report}
                isRetrying={retry.isPending}
                onRetry={campaign.status === 'cancelled' ? undefined : () => retry.mutate()}
              />
            )}
            <SegmentOfEntries of="campaign" id={campaign.id} name={campaign.name} search={search} />
            <DownloadEntries
              download={() => downloadRecipients(campaign, { search: text, status })}
              failureText="Failed to download recipients"
            />
          </>
        )
      }
    >
      {campaign.total_count > 0 && (
        <EntryTools what="recipients" search={search} counts={countsOf(campaign, report)} onChange={change} />
      )}
      <DataTable
        label="Recipients"
        columns={recipientColumns}
        rowKey={({ profile_id }) => profile_id}
        query={query}
        skeletonRows={10}
        loadingText="Loading recipients..."
        paging={{ page, pageSize, onPage: (next) => change(onPage(search, next)) }}
        empty={
          status === undefined && text === undefined ? (
            <NoRecipients campaign={campaign} />
          ) : (
            <NoEntryMatches what="recipient" search={search} onClear={() => change({})} />
          )
        }
        failureText="Failed to load recipients"
      />
    </Card>
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
  failed: campaign.failed_count,
  skipped: campaign.skipped_count,
});

/** Downloads the recipients that the filters find, over all pages. */
const downloadRecipients = ({ id }: Campaign, query: { search: string | undefined; status: EntryFilter | undefined }) =>
  downloadFile(
    'GET /api/campaigns/{campaignId}/recipients/export',
    { params: { campaignId: id }, query },
    `campaign-${id}-recipients${query.status === undefined ? '' : `-${query.status}`}.csv`,
  );
