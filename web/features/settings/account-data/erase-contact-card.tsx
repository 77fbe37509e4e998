import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Eraser } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '#contracts/profiles.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { EraseProfileDialog } from '#web/shared/erase-profile-dialog.tsx';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { Avatar } from '#web/shared/ui/avatar.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const shownAtMost = 5;

/** For somebody who asks to be forgotten: found by what they say of themselves, and erased where they are found. */
export function EraseContactCard() {
  const [search, setSearch] = useState('');
  const found = useQuery({
    queryKey: [...queryKeys.profiles, 'to-erase', search],
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles', { query: { search, page: 1, pageSize: shownAtMost } }, { signal }),
    enabled: search !== '',
  });
  const { data = [], total = 0 } = found.data ?? {};
  return (
    <Card
      id="erase-contact"
      title="Erase one contact"
      description="When somebody asks to be forgotten. Reports keep their counts without the person; the number stays opted out as a fingerprint that cannot be read."
    >
      <div className="grid gap-4">
        <SearchInput label="Number, email or name" value={search} onSearch={setSearch} />
        {search !== '' && found.isError && (
          <ErrorPanel
            title="Failed to look for the contact"
            detail={errorText(found.error, 'Try again in a moment.')}
            onRetry={() => void found.refetch()}
          />
        )}
        {search !== '' && found.data && data.length === 0 && <p className="text-muted">Nobody is found by that.</p>}
        {search !== '' && data.length > 0 && (
          <ul aria-label="Contacts found" className="divide-y border-y">
            {data.map((profile) => (
              <FoundContact key={profile.id} profile={profile} onErased={() => setSearch('')} />
            ))}
          </ul>
        )}
        {search !== '' && total > data.length && (
          <p className="text-13 text-muted">And {(total - data.length).toLocaleString('en')} more. Type more of it.</p>
        )}
      </div>
    </Card>
  );
}

function FoundContact({ profile, onErased }: { profile: Profile; onErased: () => void }) {
  const { id, name, phone, email } = profile;
  const format = usePhoneFormat();
  const can = useCan();
  const [isAsking, setAsking] = useState(false);
  const called = name ?? format(phone);
  const save = useMutation({
    mutationFn: () =>
      downloadFile('GET /api/profiles/{profileId}/export', { params: { profileId: id } }, `contact-${id}.json`),
    onError: (error) => notify.error(errorText(error, 'Failed to export the contact')),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Avatar id={id} name={name} />
      <div className="min-w-0 flex-1 basis-48">
        <Link
          to={paths.profile}
          params={{ profileId: String(id) }}
          className="font-medium wrap-anywhere hover:underline"
        >
          <bdi>{called}</bdi>
        </Link>
        <p className="text-13 wrap-anywhere text-muted tabular-nums">
          {format(phone)}
          {email !== null && ` · ${email}`}
        </p>
      </div>
      {can('data:export') && (
        <Button
          size="small"
          icon={<Download aria-hidden="true" className="size-4" />}
          busy={save.isPending && 'Exporting...'}
          onClick={() => save.mutate()}
        >
          Export first<span className="sr-only">: {called}</span>
        </Button>
      )}
      <Button
        size="small"
        variant="ghost-danger"
        icon={<Eraser aria-hidden="true" className="size-4" />}
        onClick={() => setAsking(true)}
      >
        Erase<span className="sr-only"> {called}</span>
      </Button>
      {isAsking && <EraseProfileDialog profile={profile} onClose={() => setAsking(false)} onErased={onErased} />}
    </li>
  );
}
