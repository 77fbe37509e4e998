import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { shareText } from '#web/shared/report/share-text.ts';
import { useCan } from '#web/shared/session.ts';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';

const shownCampaigns = 5;

const share = (header: string, part: (campaign: Campaign) => number): Column<Campaign> => ({
  id: header.toLowerCase(),
  header,
  align: 'right',
  cell: (campaign) => <span className="tabular-nums">{shareText(part(campaign), campaign.sent_count)}</span>,
});

const columns: readonly Column<Campaign>[] = [
  {
    id: 'name',
    header: 'Name',
    fluid: true,
    onCard: 'title',
    cell: ({ id, name }) => (
      <Link
        to={paths.campaign}
        params={{ campaignId: String(id) }}
        dir="auto"
        className="rounded-small font-medium hover:text-accent-ink hover:underline"
      >
        {name}
      </Link>
    ),
  },
  {
    id: 'sent',
    header: 'Sent',
    align: 'right',
    cell: ({ sent_count }) => <span className="tabular-nums">{sent_count.toLocaleString('en')}</span>,
  },
  share('Delivered', ({ delivered_count }) => delivered_count),
  share('Read', ({ read_count }) => read_count),
  share('Replied', ({ replied_count }) => replied_count),
  {
    id: 'started',
    header: 'Started',
    align: 'right',
    wideOnly: true,
    cell: ({ started_at }) => started_at !== null && <DateTime at={started_at} />,
  },
];

/** The last campaigns of which something was sent, side by side; nothing before there is one. */
export function LastCampaigns() {
  const query = { pageSize: 20 };
  const mayRead = useCan()('campaigns:read');
  const { data } = useQuery({
    queryKey: [...queryKeys.campaigns, 'last', query],
    queryFn: ({ signal }) => callApi('GET /api/campaigns', { query }, { signal }),
    enabled: mayRead,
  });
  const sent = data?.data.filter(({ sent_count }) => sent_count > 0).slice(0, shownCampaigns) ?? [];
  if (sent.length === 0) return null;
  return (
    <Card
      flush
      title="Last campaigns"
      description="Shares of what was sent"
      actions={
        <Link to={paths.campaigns} className="text-13 font-medium text-accent-ink hover:underline">
          View all<span className="sr-only"> campaigns</span>
        </Link>
      }
    >
      <DataTable
        label="Last campaigns"
        columns={columns}
        rowKey={({ id }) => id}
        query={{ data: { data: sent }, error: null, isFetching: false, refetch: () => undefined }}
        skeletonRows={1}
        loadingText="Loading campaigns..."
        empty={null}
        failureText="Failed to load campaigns"
      />
    </Card>
  );
}
