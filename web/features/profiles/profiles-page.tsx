import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Upload, Users } from 'lucide-react';
import { useState } from 'react';
import type { Expression } from '#contracts/expressions.ts';
import type { Profile, ProfileSort } from '#contracts/profiles.ts';
import { useBulk } from '#web/shared/bulk/use-bulk.tsx';
import { countedText } from '#web/shared/counted.ts';
import { paths } from '#web/shared/paths.ts';
import { ColumnChooser } from '#web/shared/table/column-chooser.tsx';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { useListSearch } from '#web/shared/table/list-search.ts';
import { ListTools } from '#web/shared/table/list-tools.tsx';
import { NoMatch } from '#web/shared/table/no-match.tsx';
import { SavedViews } from '#web/shared/table/saved-views.tsx';
import { useColumns } from '#web/shared/table/use-columns.ts';
import { useSelection } from '#web/shared/table/use-selection.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { useDialogInUrl } from '#web/shared/form/use-dialog-in-url.ts';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { BulkBar } from './bulk-bar.tsx';
import { DeleteProfileDialog } from './delete-profile-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import { NewProfileDialog } from './new-profile-dialog.tsx';
import { profileColumns, profileTitle } from './profile-columns.tsx';
import { ProfileFilters } from './profile-filters.tsx';
import { pageSize, profilesQuery } from './profile-queries.ts';
import { refreshProfiles } from '#web/shared/refresh-profiles.ts';
import { filterOf, noFilter, profileSearch } from './profile-search.ts';
import { useCan } from '#web/shared/session.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';

const plus = <Plus aria-hidden="true" className="size-4" />;

export function ProfilesPage() {
  const can = useCan();
  const queryClient = useQueryClient();
  const [search, change] = useListSearch(profileSearch);
  const query = useQuery(profilesQuery(search));
  const [isAdding, setAdding] = useDialogInUrl('new');
  const [deleted, setDeleted] = useState<Profile>();
  const { sort = 'id', order = sort === 'phone' || sort === 'name' ? 'asc' : 'desc' } = search;
  const filter = filterOf(search);
  const { search: text, ...narrowing } = filter;
  const isFiltered = Object.values(narrowing).some((value) => value !== undefined);
  const isNarrowed = isFiltered || text !== undefined;
  const total = query.data?.total;
  const isEmpty = !isNarrowed && query.data?.data.length === 0;
  const add = () => setAdding(true);
  useNewOnArrival(add);

  const selection = useSelection({
    rows: query.data?.data,
    rowId: ({ id }) => id,
    total,
    resetKey: JSON.stringify(filter),
  });
  const { tags, expression, ...others } = filter;
  const bulk = useBulk({
    resource: 'profiles',
    selection,
    filter: {
      ...others,
      ...(tags !== undefined && { tags: tags.split(',') }),
      ...(expression !== undefined && { expression: JSON.parse(expression) as Expression }),
    },
    onProgress: () => void refreshProfiles(queryClient),
  });
  const { columns, chooser } = useColumns('profiles', profileColumns(setDeleted), {
    cols: search.cols,
    onCols: (cols) => change({ cols }),
  });

  return (
    <>
      <PageHeader
        title="Profiles"
        description="The people you write to, with what you know about them"
        actions={
          <>
            <Allowed needs="contacts:write">
              <ImportLink />
            </Allowed>
            <ExportButton filter={filter} />
            <Button needs="contacts:write" variant="primary" icon={plus} onClick={add}>
              New Profile
            </Button>
          </>
        }
      />
      {bulk.progress}
      <Card
        flush
        {...(!isEmpty && {
          title: titleOf(query.data, isNarrowed),
          actions: (
            <div className="flex items-center gap-2">
              <SavedViews list="profiles" columns={chooser} />
              <ColumnChooser {...chooser} />
            </div>
          ),
        })}
      >
        {!isEmpty && (
          <ListTools
            searchLabel="Search profiles"
            search={text ?? ''}
            onSearch={(next) => change({ search: next || undefined, page: undefined })}
            filters={<ProfileFilters search={search} onChange={(changes) => change({ ...changes, page: undefined })} />}
            isFiltered={isFiltered}
            onClear={() => change(noFilter)}
          />
        )}
        <DataTable
          label="Profiles"
          columns={columns}
          rowKey={({ id }) => id}
          rowLabel={profileTitle}
          selection={can('bulk-actions:write') ? selection : undefined}
          query={query}
          skeletonRows={10}
          loadingText="Loading profiles..."
          paging={{
            page: search.page ?? 1,
            pageSize,
            onPage: (page, how) => change({ page: page > 1 ? page : undefined }, how),
          }}
          sorting={{
            by: sort,
            order,
            onSort: (by, next) => change({ sort: by as ProfileSort, order: next, page: undefined }),
          }}
          empty={
            isNarrowed ? (
              <NoMatch
                title={text === undefined ? 'Nobody here' : `Nothing matches “${text}”`}
                onClear={() => change(noFilter)}
              />
            ) : (
              <NoProfiles onAdd={add} />
            )
          }
          failureText="Failed to fetch profiles"
        />
      </Card>
      <BulkBar selection={selection} total={total} isEstimate={query.data?.is_estimate === true} bulk={bulk} />
      {isAdding && <NewProfileDialog onClose={() => setAdding(false)} />}
      {deleted !== undefined && <DeleteProfileDialog profile={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

function titleOf(list: { total: number; is_estimate?: boolean } | undefined, isNarrowed: boolean): string {
  if (list === undefined) return 'All profiles';
  const { total: count, is_estimate } = list;
  const text = `${countedText({ count, is_estimate })} ${count === 1 ? 'profile' : 'profiles'}`;
  return isNarrowed ? `${text[0]?.toUpperCase()}${text.slice(1)} found` : text;
}

function ImportLink() {
  return (
    <Link to={paths.profileImport} className={buttonClass()}>
      <Upload aria-hidden="true" className="size-4" />
      Import CSV
    </Link>
  );
}

function NoProfiles({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={<Users aria-hidden="true" />}
      title="No profiles yet"
      hint="A profile is a person you write to. Bring the ones you have as a CSV file, or start with one."
      action={
        <>
          <ImportLink />
          <Button needs="contacts:write" icon={plus} onClick={onAdd}>
            New Profile
          </Button>
        </>
      }
    />
  );
}
