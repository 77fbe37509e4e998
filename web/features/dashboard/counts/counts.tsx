import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DayCounts } from '#contracts/messages.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { compareWeeks, type WeekComparison } from './compare-weeks.ts';
import { dailyCountsQuery } from '../daily-counts-query.ts';
import { Trend } from './trend.tsx';

/** Undefined while they load. */
type CountsProps = { projects: readonly Project[] | undefined; current: Project | undefined };

export function Counts({ projects, current }: CountsProps) {
  const { subscription, membership } = useSession();
  const phones = useQuery({ ...phoneNumbersQuery(current?.id ?? 0), enabled: current !== undefined });
  const { data, isError } = useQuery(dailyCountsQuery());
  const today = data?.data.at(-1);
  const weeks = data && compareWeeks(data.data);
  const limit = membership?.account.project_limit ?? subscription?.plan?.project_limit;
  const unknown = isError ? '–' : undefined;
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
        note={projects?.length === 0 ? 'No phones yet' : phones.data && rotationText(phones.data)}
      />
      <Count name="Sent today" value={today?.sent ?? unknown} note={today && outcomeText(today)} />
      <Count name="Sent in 7 days" value={weeks?.sent ?? unknown} note={weeks && <WeekNote weeks={weeks} />} />
    </dl>
  );
}

function rotationText(phones: readonly PhoneNumber[]): string {
  if (phones.length === 0) return 'No phones yet';
  const inRotation = phones.filter((phone) => phone.is_connected && phone.is_active && !phone.is_resting).length;
  return `${inRotation} of ${phones.length} ${phones.length === 1 ? 'phone' : 'phones'} in rotation`;
}

function outcomeText({ sent, delivered, failed }: DayCounts): string {
  if (sent + failed === 0) return 'None yet';
  return `${delivered.toLocaleString('en')} delivered, ${failed.toLocaleString('en')} failed`;
}

function WeekNote({ weeks: { sent, growth } }: { weeks: WeekComparison }) {
  if (growth !== undefined) return <Trend growth={growth} than="the 7 days before" />;
  return sent === 0 ? 'No messages yet' : 'None in the 7 days before';
}

type CountProps = { name: string; value: number | string | undefined; note: ReactNode };

function Count({ name, value, note }: CountProps) {
  return (
    <div className="grid min-w-0 content-start gap-1 bg-surface px-4 py-4 sm:px-5">
      <dt className="truncate text-13 text-muted">{name}</dt>
      <dd className="flex h-9 items-center text-28 font-semibold tabular-nums">
        {value === undefined ? <Skeleton className="h-6 w-12" /> : value.toLocaleString('en')}
      </dd>
      <dd className="min-h-4 text-12 text-pretty text-muted tabular-nums">{note}</dd>
    </div>
  );
}
