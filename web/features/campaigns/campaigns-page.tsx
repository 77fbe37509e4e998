import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, Megaphone, Pause, Play, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Campaign } from '#contracts/campaigns.ts';
import { errorText } from '#web/shared/api-error.ts';
import { BulkBar, type BulkChoice } from '#web/shared/bulk/bulk-bar.tsx';
import { useBulk } from '#web/shared/bulk/use-bulk.tsx';
import { KeptDrafts } from '#web/shared/drafts/kept-drafts.tsx';
import { useEditor } from '#web/shared/form/use-editor.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { ListScreen } from '#web/shared/table/list-screen.tsx';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { useList } from '#web/shared/table/use-list.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { CampaignFilters } from './campaign-filters.tsx';
import { campaignColumns } from './campaign-columns.tsx';
import { campaignsQuery, pageSize } from './campaign-queries.ts';
import { campaignSearch, firstOrders } from './campaign-search.ts';
import { CancelCampaignDialog } from './cancel-campaign-dialog.tsx';
import { DeleteCampaignDialog } from './delete-campaign-dialog.tsx';
import { CampaignEditor } from './form/campaign-editor.tsx';

const plus = <Plus aria-hidden="true" className="size-4" />;
const failureText = 'Failed to fetch automations';

const bulkChoices: readonly BulkChoice[] = [
  { action: 'pause', label: 'Pause', icon: <Pause /> },
  { action: 'resume', label: 'Resume', icon: <Play /> },
  {
    action: 'cancel',
    label: 'Cancel',
    icon: <Ban />,
    danger: true,
    consequence: 'Who still waits gets nothing; what was sent stays sent.',
  },
  {
    action: 'delete',
    label: 'Delete',
    icon: <Trash2 />,
    danger: true,
    consequence:
      'Who still waits gets nothing. Messages already sent stay in the records; who got what is no longer listed.',
  },
];

/** The user's question about a campaign. */
type Question = { kind: 'delete' | 'cancel'; campaign: Campaign };

export function CampaignsPage() {
  const queryClient = useQueryClient();
  const [search, change] = useListSearch(campaignSearch);
  const [question, setQuestion] = useState<Question>();
  const query = useQuery(campaignsQuery(search));
  const { data: projects } = useQuery(projectsQuery());
  const { editor, ...editors } = useEditor(paths.campaigns);
  const add = editors.openNew;
  useNewOnArrival(add);
  useLoggedFailures(query.data === undefined ? null : query.error);

  const campaigns = query.data?.data;
  const list = useList({
    list: 'campaigns',
    address: [search, change],
    filters: ['status', 'project_id', 'segment_id'],
    query,
    columns: campaignColumns({
      projects,
      onEdit: ({ id }) => editors.openEdit(id),
      onDelete: (campaign) => setQuestion({ kind: 'delete', campaign }),
      onCancel: (campaign) => setQuestion({ kind: 'cancel', campaign }),
    }),
    usualSort: 'created',
    firstOrders,
    pageSize,
  });
  const { selection, filter, total } = list;
  const bulk = useBulk({
    resource: 'campaigns',
    selection,
    filter,
    onProgress: () => void queryClient.invalidateQueries({ queryKey: queryKeys.campaigns }),
  });

  async function refresh(): Promise<void> {
    await queryClient.invalidateQueries({ queryKey: queryKeys.campaigns });
    const failure = queryClient.getQueryState(campaignsQuery(search).queryKey)?.error;
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
            <Button needs="campaigns:write" variant="primary" icon={plus} onClick={add}>
              New Campaign
            </Button>
          </>
        }
      />
      {bulk.progress}
      {editor === undefined && <KeptDrafts kind="campaign" noun="campaign" onContinue={add} />}
      <ListScreen
        list={list}
        noun="campaign"
        nouns="campaigns"
        failureText={failureText}
        skeletonRows={5}
        rowLabel={({ name }) => name}
        filters={<CampaignFilters search={search} onChange={(changes) => change({ ...changes, page: undefined })} />}
        empty={<NoCampaigns onAdd={add} />}
      />
      <BulkBar
        resource="campaigns"
        noun="campaigns"
        choices={bulkChoices}
        selection={selection}
        total={total}
        bulk={bulk}
      />
      {editor !== undefined && (
        <CampaignEditor key={JSON.stringify(editor)} editor={editor} shown={campaigns} onClose={editors.close} />
      )}
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

function NoCampaigns({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={<Megaphone aria-hidden="true" />}
      title="No campaigns yet. Create your first one."
      hint="A campaign sends one message to everybody in a segment, at once or at a time you choose."
      action={
        <Button needs="campaigns:write" icon={plus} onClick={onAdd}>
          New Campaign
        </Button>
      }
    />
  );
}
