import { useQuery } from '@tanstack/react-query';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { latestMessagesQuery } from './latest-messages-query.ts';

/** Undefined while they load. */
type CountsProps = { projects: readonly Project[] | undefined; current: Project | undefined };

export function Counts({ projects, current }: CountsProps) {
  const { subscription } = useSession();
  const phones = useQuery({ ...phoneNumbersQuery(current?.id ?? 0), enabled: current !== undefined });
  const messages = useQuery({ ...latestMessagesQuery(current?.id ?? 0), enabled: current !== undefined });
  const hasNoProject = projects?.length === 0;
  const limit = subscription?.plan?.project_limit;
  return (
    <dl
      aria-label="Counts"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-base border bg-line xl:grid-cols-4"
    >
      <Count
        name="Total projects"
        value={projects?.length}
        note={limit === undefined ? undefined : `of ${limit} in your plan`}
      />
      <Count
        name="Active connections"
        value={projects?.filter(({ is_connected }) => is_connected).length}
        note="Connected projects"
      />
      <Count
        name="Phones in rotation"
        value={hasNoProject ? 0 : phones.data && inRotation(phones.data)}
        note={hasNoProject ? 'No phones yet' : phones.data && `of ${phones.data.length} in this project`}
      />
      <Count name="Messages" value={hasNoProject ? 0 : messages.data?.total} note="Sent and received" />
    </dl>
  );
}

function inRotation(phones: readonly PhoneNumber[]): number {
  return phones.filter((phone) => phone.is_connected && phone.is_active).length;
}

type CountProps = { name: string; value: number | undefined; note: string | undefined };

function Count({ name, value, note }: CountProps) {
  return (
    <div className="grid min-w-0 content-start gap-1 bg-surface px-4 py-4 sm:px-5">
      <dt className="truncate text-13 text-muted">{name}</dt>
      <dd className="flex h-9 items-center text-28 font-semibold">
        {value === undefined ? <Skeleton className="h-6 w-12" /> : value.toLocaleString('en')}
      </dd>
      <dd className="min-h-4 truncate text-12 text-muted">{note}</dd>
    </div>
  );
}
