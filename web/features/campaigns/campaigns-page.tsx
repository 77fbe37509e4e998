import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Megaphone, Plus, RefreshCw, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Campaign } from '#contracts/campaigns.ts';
import { errorText } from '#web/shared/api-error.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useMediaQuery } from '#web/shared/use-media-query.ts';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { CampaignFilters } from './campaign-filters.tsx';
import { campaignColumns } from './campaign-columns.tsx';
import { campaignsQuery } from './campaign-queries.ts';
import type { CampaignSort } from './campaign-search.ts';
import { CancelCampaignDialog } from './cancel-campaign-dialog.tsx';
import { DeleteCampaignDialog } from './delete-campaign-dialog.tsx';
import { CampaignDialog } from './form/campaign-dialog.tsx';
import { findCampaigns, firstOrders, pageOf, pageSize } from './shown-campaigns.ts';
import { useCampaignSearch } from './use-campaign-search.ts';

const plus = <Plus aria-hidden="true" className="size-4" />;
const failureText = 'Failed to fetch automations';
/** Wide tables, and cards, which are sorted by it all the same. */
const datedWidths = '(min-width: 1400px), (max-width: 719px)';

/** What the user has asked about one campaign. */
type Question = { kind: 'delete' | 'cancel'; campaign: Campaign };

export function CampaignsPage() {
  const queryClient = useQueryClient();
  const [search, change] = useCampaignSearch();
  const [isAdding, setAdding] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const query = useQuery(campaignsQuery());
  const { data: projects } = useQuery(projectsQuery());
  const add = () => setAdding(true);
  const hasDates = useMediaQuery(datedWidths);
  useNewOnArrival(add);
  useLoggedFailures(query.data === undefined ? null : query.error);

  const campaigns = query.data?.data;
  const edited = campaigns?.find(({ id }) => id === search.edit);
  const shown = campaigns && pageOf(findCampaigns(campaigns, search), search.page ?? 1);
  const { sort = 'created', order = firstOrders[sort] } = search;

  async function refresh(): Promise<void> {
    await queryClient.invalidateQueries({ queryKey: queryKeys.campaigns });
    const failure = queryClient.getQueryState(queryKeys.campaigns)?.error;
    if (failure) notify.error(errorText(failure, failureText));
  }

  return (
    <>
      <PageHeader
        title="Campaigns"
        description="Create a campaign to message a segment via a project"
        actions={
          <>
            <Button icon={<RefreshCw aria-hidden="true" className="size-4" />} onClick={() => void refresh()}>
              Refresh
            </Button>
            <Button variant="primary" icon={plus} onClick={add}>
              New Campaign
            </Button>
          </>
        }
      />
      <Card
        flush
        {...(campaigns?.length !== 0 && {
          title: titleOf(shown?.total),
          actions: <CampaignFilters search={search} onChange={change} />,
        })}
      >
        <DataTable
          label="Campaigns"
          columns={campaignColumns({
            projects,
            hasDates,
            onEdit: ({ id }) => change({ edit: id }),
            onDelete: (campaign) => setQuestion({ kind: 'delete', campaign }),
            onCancel: (campaign) => setQuestion({ kind: 'cancel', campaign }),
          })}
          rowKey={({ id }) => id}
          query={{ ...query, data: shown && { data: shown.items, total: shown.total } }}
          loadingText="Loading campaigns..."
          failureText={failureText}
          skeletonRows={5}
          sorting={{
            by: sort,
            order,
            onSort: (by, next) => change({ sort: by as CampaignSort, order: next, page: undefined }),
          }}
          {...(shown !== undefined &&
            shown.total > pageSize && {
              paging: { page: shown.page, pageSize, onPage: (next) => change({ page: next > 1 ? next : undefined }) },
            })}
          empty={
            campaigns?.length === 0 ? (
              <NoCampaigns onAdd={add} />
            ) : (
              <NoMatch onClear={() => change({ search: undefined, status: undefined, page: undefined })} />
            )
          }
        />
      </Card>
      {isAdding && <CampaignDialog onClose={() => setAdding(false)} />}
      {edited !== undefined && <CampaignDialog campaign={edited} onClose={() => change({ edit: undefined })} />}
      {question?.kind === 'delete' && (
        <DeleteCampaignDialog campaign={question.campaign} onClose={() => setQuestion(undefined)} />
      )}
      {question?.kind === 'cancel' && (
        <CancelCampaignDialog campaign={question.campaign} onClose={() => setQuestion(undefined)} />
      )}
    </>
  );
}

/** The page goes on showing what it has. */
function useLoggedFailures(error: unknown): void {
  useEffect(() => {
    if (error !== null) logFailure('The campaigns could not be refreshed.', error);
  }, [error]);
}

function titleOf(count: number | undefined): string {
  if (count === undefined) return 'All campaigns';
  return `${count.toLocaleString('en')} ${count === 1 ? 'campaign' : 'campaigns'}`;
}

function NoCampaigns({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={<Megaphone aria-hidden="true" />}
      title="No campaigns yet. Create your first one."
      hint="A campaign sends one message to everybody in a segment, at once or at a time you choose."
      action={
        <Button icon={plus} onClick={onAdd}>
          New Campaign
        </Button>
      }
    />
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title="No campaign matches"
      hint="Check the spelling, or clear the filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  );
}
