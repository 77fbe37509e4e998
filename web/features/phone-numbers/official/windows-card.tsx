import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { OfficialFigures } from '#contracts/official-figures.ts';
import { errorText } from '#web/shared/api-error.ts';
import { durationText } from '#web/shared/duration-text.ts';
import { paths } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { figuresQuery } from './figures-query.ts';

/** The people who can be answered freely, and when that ends. */
export function WindowsCard({ phoneId }: { phoneId: number }) {
  const { data, error, refetch } = useQuery(figuresQuery(phoneId));
  return (
    <Card
      flush
      title="24-hour windows"
      description="People who wrote in the last 24 hours can be answered freely"
      actions={
        <Link to={paths.inbox} className="text-13 text-accent-ink hover:underline">
          Open the inbox
        </Link>
      }
    >
      {data === undefined && error !== null ? (
        <ErrorPanel
          title="Failed to load the windows"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <div aria-busy="true" className="grid gap-4 px-4 py-4 sm:px-5">
          <Skeleton className="h-12" />
          <Skeleton className="h-24" />
        </div>
      ) : (
        <Figures figures={data} />
      )}
    </Card>
  );
}

function Figures({ figures: { windows, first_answers_7d: answers } }: { figures: OfficialFigures }) {
  const { open, by_hour: byHour, unread_within_hour: unread, wrote_today: today } = windows;
  return (
    <>
      <dl className="grid grid-cols-2 divide-line border-b tabular-nums sm:grid-cols-4 sm:divide-x">
        <Figure name="Open now" value={open.toLocaleString('en')} />
        <Figure name="Shut within an hour" value={(byHour[0] ?? 0).toLocaleString('en')}>
          {unread > 0 && <span className="text-yellow-ink">{unread.toLocaleString('en')} unread</span>}
        </Figure>
        <Figure name="Wrote today" value={today.toLocaleString('en')} />
        <Figure name="First answer, 7 d" value={durationText(answers.median_seconds)}>
          {answers.count > 0 && <>Median of {answers.count.toLocaleString('en')}</>}
        </Figure>
      </dl>
      {open === 0 ? (
        <p className="px-4 py-5 text-muted sm:px-5">
          Nobody has written in the last 24 hours. Until somebody does, only templates can be sent.
        </p>
      ) : (
        <HoursChart byHour={byHour} />
      )}
    </>
  );
}

function Figure({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <div className="px-4 py-3 sm:px-5 sm:py-4">
      <dt className="text-13 text-muted">{name}</dt>
      <dd>
        <span className="block text-16 font-semibold">{value}</span>
        <span className="text-12 text-muted">{children}</span>
      </dd>
    </div>
  );
}

/** Under these bars it is said in how many hours they shut. */
const marks: readonly { bar: number; text: string }[] = [
  { bar: 0, text: 'Shut within 1 h' },
  { bar: 5, text: '6 h' },
  { bar: 11, text: '12 h' },
  { bar: 17, text: '18 h' },
  { bar: 23, text: '24 h' },
];

function HoursChart({ byHour }: { byHour: readonly number[] }) {
  const most = Math.max(...byHour, 1);
  const summary = byHour
    .flatMap((count, hour) => (count === 0 ? [] : [`${count.toLocaleString('en')} within ${hour + 1} h`]))
    .join(', ');
  return (
    <div role="img" aria-label={`When the open windows shut: ${summary}`} className="px-4 pt-5 pb-4 sm:px-5">
      <div aria-hidden="true" className="flex h-24 items-end gap-0.5 sm:gap-1">
        {byHour.map((count, hour) => (
          <span
            key={hour}
            title={`${count.toLocaleString('en')} within ${hour + 1} h`}
            className={clsx(
              'flex-1 rounded-t-[2px]',
              count === 0
                ? 'bg-sunken'
                : hour === 0
                  ? 'bg-[repeating-linear-gradient(45deg,var(--yellow-dot)_0_3px,var(--surface)_3px_5px)]'
                  : 'bg-accent',
            )}
            style={{ height: count === 0 ? '2px' : `${Math.max(4, (count / most) * 100)}%` }}
          />
        ))}
      </div>
      <div aria-hidden="true" className="relative mt-2 h-4 text-12 text-faint tabular-nums">
        {marks.map(({ bar, text }) => (
          <span
            key={bar}
            className={clsx(
              'absolute whitespace-nowrap',
              bar === 23 ? 'right-0' : bar > 0 && '-translate-x-1/2',
              // On a handset the first mark takes its place.
              bar === 5 && 'max-sm:hidden',
            )}
            style={bar === 23 ? undefined : { left: bar === 0 ? 0 : `${((bar + 0.5) / byHour.length) * 100}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}
