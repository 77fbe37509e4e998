import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, SearchX, Upload, Users } from 'lucide-react';
import { useState } from 'react';
import type { Profile, ProfileSort } from '#contracts/profiles.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { paths } from '#web/shared/paths.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { DeleteProfileDialog } from './delete-profile-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import { NewProfileDialog } from './new-profile-dialog.tsx';
import { profileColumns } from './profile-columns.tsx';
import { pageSize, profilesQuery } from './profile-queries.ts';
import { useProfileSearch } from './use-profile-search.ts';

const optOutOptions = [
  { value: '', label: 'All profiles' },
  { value: 'true', label: 'Opted out' },
  { value: 'false', label: 'Not opted out' },
];

const optOutOf = (value: string) => (value === 'true' || value === 'false' ? value : undefined);

const plus = <Plus aria-hidden="true" className="size-4" />;

export function ProfilesPage() {
  const [search, change] = useProfileSearch();
  const query = useQuery(profilesQuery(search));
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<Profile>();
  const { search: text = '', sort = 'id', order = sort === 'phone' || sort === 'name' ? 'asc' : 'desc' } = search;
  const isNarrowed = text !== '' || search.opted_out !== undefined;
  const add = () => setAdding(true);
  useNewOnArrival(add);
  return (
    <>
      <PageHeader
        title="Profiles"
        description="The people you write to, with what you know about them"
        actions={
          <>
            <ImportLink />
            <ExportButton search={search.search} optedOut={search.opted_out} />
            <Button variant="primary" icon={plus} onClick={add}>
              New Profile
            </Button>
          </>
        }
      />
      <Card
        flush
        title={titleOf(query.data?.total, isNarrowed)}
        actions={
          <>
            <SelectInput
              size="small"
              aria-label="Opt-out"
              options={optOutOptions}
              value={search.opted_out ?? ''}
              onChange={({ target }) => change({ opted_out: optOutOf(target.value), page: undefined })}
              className="max-sm:w-full"
            />
            <SearchInput
              label="Search profiles"
              value={text}
              onSearch={(next) => change({ search: next || undefined, page: undefined })}
            />
          </>
        }
      >
        <DataTable
          label="Profiles"
          columns={profileColumns(setDeleted)}
          rowKey={({ id }) => id}
          query={query}
          skeletonRows={10}
          loadingText="Loading profiles..."
          paging={{ page: search.page ?? 1, pageSize, onPage: (page) => change({ page: page > 1 ? page : undefined }) }}
          sorting={{
            by: sort,
            order,
            onSort: (by, next) => change({ sort: by as ProfileSort, order: next, page: undefined }),
          }}
          empty={
            isNarrowed ? (
              <NoMatch
                text={text}
                onClear={() => change({ search: undefined, opted_out: undefined, page: undefined })}
              />
            ) : (
              <NoProfiles onAdd={add} />
            )
          }
          failureText="Failed to fetch profiles"
        />
      </Card>
      {isAdding && <NewProfileDialog onClose={() => setAdding(false)} />}
      {deleted !== undefined && <DeleteProfileDialog profile={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

function titleOf(total: number | undefined, isNarrowed: boolean): string {
  if (total === undefined) return 'All profiles';
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'profile' : 'profiles'}`;
  return isNarrowed ? `${count} found` : count;
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
          <Button icon={plus} onClick={onAdd}>
            New Profile
          </Button>
        </>
      }
    />
  );
}

function NoMatch({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title={text === '' ? 'Nobody here' : `Nothing matches “${text}”`}
      hint={text === '' ? 'No profile is like this at present.' : 'Check the spelling, or clear the search.'}
      action={<Button onClick={onClear}>{text === '' ? 'Show all profiles' : 'Clear search'}</Button>}
    />
  );
}
