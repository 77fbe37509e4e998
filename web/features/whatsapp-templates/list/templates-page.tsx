import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { BadgeCheck, Plus } from 'lucide-react';
import { useState } from 'react';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { KeptDrafts } from '#web/shared/drafts/kept-drafts.tsx';
import { paths } from '#web/shared/paths.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';
import { useCan, useSession } from '#web/shared/session.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { ListTools } from '#web/shared/table/list-tools.tsx';
import { NoMatch } from '#web/shared/table/no-match.tsx';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { useBusinessAccounts } from '../business-accounts.ts';
import { DeleteTemplateDialog } from '../delete-template-dialog.tsx';
import { SyncButton } from './sync-button.tsx';
import { templateColumns } from './template-columns.tsx';
import { TemplateFilters } from './template-filters.tsx';
import { whatsappTemplateSearch } from './template-search.ts';
import { pageSize, whatsappTemplatesQuery } from './templates-query.ts';
import { TroubleNotice } from './trouble-notice.tsx';

/** The templates that WhatsApp approves, of every business account. */
export function WhatsappTemplatesPage() {
  const navigate = useNavigate();
  const canWrite = useCan()('templates:write');
  const [search, change] = useListSearch(whatsappTemplateSearch);
  const [deleted, setDeleted] = useState<WhatsappTemplate>();
  const { accounts } = useBusinessAccounts();
  const query = useQuery(whatsappTemplatesQuery(search));
  const templates = query.data?.data;
  const total = query.data?.total;
  const { page: _, search: text, ...filters } = search;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const isNarrowed = isFiltered || text !== undefined;
  const isEmpty = !isNarrowed && templates?.length === 0;
  const hasNumbers = accounts === undefined || accounts.length > 0;
  const page = search.page ?? 1;
  const clear = () =>
    change({
      search: undefined,
      status: undefined,
      category: undefined,
      language: undefined,
      business_account_id: undefined,
      page: undefined,
    });
  return (
    <>
      <PageHeader
        title="WhatsApp templates"
        description="Approved by WhatsApp: the only messages that reach people who have not written for 24 hours, from numbers of the official API"
        {...(canWrite &&
          hasNumbers && {
            actions: (
              <Link to={paths.newWhatsappTemplate} className={buttonClass('primary')}>
                <Plus aria-hidden="true" className="size-4" />
                New template
              </Link>
            ),
          })}
      />
      {canWrite && (
        <KeptDrafts
          kind="whatsapp_template"
          noun="template"
          onContinue={() => void navigate({ to: paths.newWhatsappTemplate })}
        />
      )}
      <TroubleNotice templates={templates ?? []} />
      <Card flush {...(!isEmpty && { title: titleOf(total) })}>
        {!isEmpty && (
          <ListTools
            searchLabel="Search WhatsApp templates"
            search={text ?? ''}
            onSearch={(next) => change({ search: next || undefined, page: undefined })}
            filters={
              <TemplateFilters
                search={search}
                accounts={accounts ?? []}
                onChange={(changes) => change({ ...changes, page: undefined })}
              />
            }
            isFiltered={isFiltered}
            onClear={clear}
          >
            <SyncedAt templates={templates ?? []} />
            {canWrite && <SyncButton />}
          </ListTools>
        )}
        <DataTable
          label="WhatsApp templates"
          columns={templateColumns({
            accounts: accounts ?? [],
            repeated: repeatedNames(templates ?? []),
            canWrite,
            onDelete: setDeleted,
          })}
          rowKey={({ id }) => id}
          query={query}
          loadingText="Loading WhatsApp templates..."
          failureText="Failed to load WhatsApp templates"
          skeletonRows={8}
          {...((page > 1 || (total ?? 0) > pageSize) && {
            paging: { page, pageSize, onPage: (next) => change({ page: next > 1 ? next : undefined }) },
          })}
          empty={
            isNarrowed ? (
              <NoMatch title="No template matches" onClear={clear} />
            ) : hasNumbers ? (
              <NoTemplates canWrite={canWrite} />
            ) : (
              <NoNumbers />
            )
          }
        />
      </Card>
      {deleted !== undefined && <DeleteTemplateDialog template={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

function titleOf(count: number | undefined): string {
  if (count === undefined) return 'All templates';
  return `${count.toLocaleString('en')} ${count === 1 ? 'template' : 'templates'}`;
}

/** The ids of those whose neighbour above is the same template in another language. */
function repeatedNames(templates: readonly WhatsappTemplate[]): ReadonlySet<number> {
  const isRepeated = ({ name, business_account_id: account }: WhatsappTemplate, index: number) => {
    const above = templates[index - 1];
    return above?.name === name && above.business_account_id === account;
  };
  return new Set(templates.filter(isRepeated).map(({ id }) => id));
}

function SyncedAt({ templates }: { templates: readonly WhatsappTemplate[] }) {
  const oldest = templates.map(({ synced_at: at }) => at).toSorted()[0];
  if (oldest === undefined) return null;
  return (
    <span className="text-12 text-muted">
      Synced <RelativeTime at={oldest} />
    </span>
  );
}

function NoTemplates({ canWrite }: { canWrite: boolean }) {
  return (
    <EmptyState
      icon={<BadgeCheck aria-hidden="true" />}
      title="No WhatsApp templates yet"
      hint="Write the first one: WhatsApp reviews it within minutes, at most a day. Those made at Meta come by themselves."
      action={
        canWrite && (
          <>
            <Link to={paths.newWhatsappTemplate} className={buttonClass('primary')}>
              New template
            </Link>
            <SyncButton />
          </>
        )
      }
    />
  );
}

/** Templates belong to numbers of the official API. */
function NoNumbers() {
  const { currentProjectId } = useSession();
  const projectId = String(currentProjectId);
  return (
    <EmptyState
      icon={<BadgeCheck aria-hidden="true" />}
      title="No number of the official API yet"
      hint="WhatsApp approves templates for business accounts. Linked numbers need none: their texts are under Templates."
      action={
        currentProjectId === null ? (
          <Link to={paths.projects} className={buttonClass()}>
            Projects
          </Link>
        ) : (
          <Allowed needs="phones:write">
            <Link to={paths.connectNumber} params={{ projectId }} className={buttonClass('primary')}>
              Connect a number
            </Link>
          </Allowed>
        )
      }
    />
  );
}
