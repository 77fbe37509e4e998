import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX, Users } from 'lucide-react';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { EntryFilterSelect } from '#web/shared/report/entry-filter-select.tsx';
import { entrySearch, type EntrySearch } from '#web/shared/report/entry-search.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { pollInterval } from '../campaign-queries.ts';
import { DownloadButton } from './download-button.tsx';
import { recipientColumns } from './recipient-columns.tsx';

const pageSize = 50;

function useRecipients(campaign: Campaign, { page = 1, status }: EntrySearch) {
  const query = { page, pageSize, status };
  return useQuery({
    queryKey: [...queryKeys.campaign(campaign.id), 'recipients', query],
    queryFn: ({ signal }) =>
      callApi('GET /api/campaigns/{campaignId}/recipients', { params: { campaignId: campaign.id }, query }, { signal }),
    refetchInterval: pollInterval([campaign]),
    placeholderData: keepPreviousData,
  });
}

/** Who gets it, and what became of it. */
export function RecipientsCard({ campaign }: { campaign: Campaign }) {
  const search = entrySearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const query = useRecipients(campaign, search);
  const change = (next: EntrySearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  const { page = 1, status } = search;
  return (
    <Card
      flush
      id="entries"
      title="Recipients"
      actions={
        campaign.total_count > 0 && (
          <div className="flex flex-wrap items-center gap-2">
            <EntryFilterSelect label="Recipient status" search={search} onChange={change} />
            <DownloadButton campaign={campaign} status={status} />
          </div>
        )
      }
    >
      <DataTable
        label="Recipients"
        columns={recipientColumns}
        rowKey={({ profile_id }) => profile_id}
        query={query}
        skeletonRows={10}
        loadingText="Loading recipients..."
        paging={{
          page,
          pageSize,
          onPage: (next) => change({ ...(status && { status }), ...(next > 1 && { page: next }) }),
        }}
        empty={status === undefined ? <NoRecipients campaign={campaign} /> : <NoMatch onClear={() => change({})} />}
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

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title="No recipient has this status"
      action={<Button onClick={onClear}>Show all</Button>}
    />
  );
}
