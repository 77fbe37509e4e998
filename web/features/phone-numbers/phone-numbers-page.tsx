import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Plus, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { callApi } from '#web/shared/api.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { ProjectTabs } from '#web/shared/project-tabs.tsx';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { AddPhoneDialog } from './add-phone-dialog.tsx';
import { PhoneCardSkeleton } from './phone-card-skeleton.tsx';
import { PhoneList, phonesPerPage } from './phone-list.tsx';
import { phoneSearch, type PhoneSearch } from './phone-search.ts';

const plus = <Plus aria-hidden="true" className="size-4" />;

function phonesQuery(projectId: number, { page = 1, search, status, active, sort, order }: PhoneSearch) {
  const query = { page, pageSize: phonesPerPage, search, status, active, sort, order };
  return queryOptions({
    queryKey: [...queryKeys.phoneNumbers(projectId), 'list', query],
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/phone-numbers', { params: { projectId }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function PhoneNumbersPage() {
  const queryClient = useQueryClient();
  const projectId = Number(useParams({ from: '/shell/projects/$projectId/phone-numbers' }).projectId);
  const [search, change] = useListSearch(phoneSearch);
  const [isAdding, setAdding] = useState(false);
  const isId = Number.isSafeInteger(projectId) && projectId > 0;
  const query = useQuery({ ...phonesQuery(projectId, search), enabled: isId });
  const add = () => setAdding(true);
  useNewOnArrival(add);
  if (!isId || hasStatus(query.error, 404)) return <NotFoundCard kind="project" />;
  const isNarrowed = search.search !== undefined || search.status !== undefined || search.active !== undefined;
  const isEmpty = query.data?.data.length === 0 && !isNarrowed && search.page === undefined;
  return (
    <>
      <PageHeader
        title="Phone Numbers"
        description="Manage multiple WhatsApp phone numbers for message rotation"
        actions={
          <>
            <Link to={paths.connectNumber} params={{ projectId: String(projectId) }} className={buttonClass()}>
              Ways to connect
            </Link>
            <Button needs="sandboxes:write" variant="primary" icon={plus} onClick={add}>
              Add Phone Number
            </Button>
          </>
        }
      />
      <ProjectTabs projectId={projectId} />
      {query.data === undefined && query.error !== null ? (
        <Card flush>
          <ErrorPanel
            title="Failed to load phone numbers"
            detail={errorText(query.error, 'Try again in a moment.')}
            onRetry={() => void query.refetch()}
          />
        </Card>
      ) : query.data === undefined ? (
        <Skeletons />
      ) : isEmpty ? (
        <NoPhones onAdd={add} />
      ) : (
        <PhoneList
          key={projectId}
          projectId={projectId}
          query={query}
          search={search}
          onChange={change}
          isNarrowed={isNarrowed}
          onProgress={() => void queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(projectId) })}
        />
      )}
      {isAdding && <AddPhoneDialog projectId={projectId} onClose={() => setAdding(false)} />}
    </>
  );
}

function Skeletons() {
  return (
    <ul
      aria-label="Phone numbers"
      aria-busy="true"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4"
    >
      {[1, 2, 3].map((index) => (
        <li key={index}>
          <PhoneCardSkeleton />
        </li>
      ))}
    </ul>
  );
}

function NoPhones({ onAdd }: { onAdd: () => void }) {
  return (
    <Card flush>
      <EmptyState
        icon={<Smartphone aria-hidden="true" />}
        title="No phone numbers yet"
        hint="Get started by adding your first WhatsApp phone number"
        action={
          <Button needs="sandboxes:write" icon={plus} onClick={onAdd}>
            Add Phone Number
          </Button>
        }
      />
    </Card>
  );
}
