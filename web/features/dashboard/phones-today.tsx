import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { errorText } from '#web/shared/api-error.ts';
import { usagePercent } from '#web/shared/daily-usage.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { paths } from '#web/shared/paths.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { HealthBadge, isStopped } from '#web/shared/ui/health-badge.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { UsageBar, UsageCount } from '#web/shared/ui/usage.tsx';
import { newDayMs } from './daily-counts-query.ts';
import { ViewAllLink } from './view-all-link.tsx';

const title = 'Phones today';
const shownPhones = 6;

/** How much of its daily maximum each phone has used, the fullest first. `project` is undefined while they load. */
export function PhonesToday({ project }: { project: Project | undefined }) {
  return project === undefined ? (
    <Card flush title={title}>
      <Rows phones={undefined} />
    </Card>
  ) : (
    <ProjectPhones project={project} />
  );
}

function ProjectPhones({ project }: { project: Project }) {
  const { data: phones, error, refetch } = useQuery({ ...phoneNumbersQuery(project.id), refetchInterval: newDayMs });
  return (
    <Card
      flush
      title={title}
      actions={
        <ViewAllLink
          to={paths.phoneNumbers}
          projectId={project.id}
          what="phone numbers"
          count={phones !== undefined && phones.length > shownPhones ? phones.length : undefined}
        />
      }
    >
      {phones === undefined && error !== null ? (
        <ErrorPanel
          title="Failed to load phone numbers"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      ) : (
        <Rows phones={phones} />
      )}
    </Card>
  );
}

const percentOf = (phone: PhoneNumber) => usagePercent(phone.daily_message_count, phone.max_daily_messages);

function Rows({ phones }: { phones: readonly PhoneNumber[] | undefined }) {
  if (phones?.length === 0) return <p className="px-5 py-8 text-center text-muted">No phone numbers yet</p>;
  const fullest = phones?.toSorted((one, other) => percentOf(other) - percentOf(one)).slice(0, shownPhones);
  return (
    <ul aria-busy={phones === undefined} className="grid gap-x-8 gap-y-5 px-4 py-4 sm:grid-cols-2 sm:px-5">
      {fullest === undefined ? (
        <li className="grid h-13 content-between">
          <Skeleton className="mt-1 h-3 w-32" />
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-1 w-full" />
        </li>
      ) : (
        fullest.map((phone) => <Row key={phone.id} phone={phone} />)
      )}
    </ul>
  );
}

function Row({ phone }: { phone: PhoneNumber }) {
  const format = usePhoneFormat();
  const number = format(phone.phone_number);
  const usage = { count: phone.daily_message_count, maximum: phone.max_daily_messages };
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] content-between gap-2">
      <div className="flex items-end justify-between gap-4">
        <div className="min-w-0">
          <p className="truncate font-medium tabular-nums">
            <Link to={paths.phone} params={{ phoneId: String(phone.id) }} className="hover:underline">
              <bdi>{phone.name || number}</bdi>
            </Link>
          </p>
          {phone.health !== null && isStopped(phone.health) && <HealthBadge health={phone.health} />}
          {phone.name && <p className="text-13 whitespace-nowrap text-muted tabular-nums">{number}</p>}
        </div>
        <p className="shrink-0 text-13 text-muted tabular-nums">
          <UsageCount {...usage} />
          {usage.maximum === null && ' today'}
        </p>
      </div>
      <div aria-hidden="true">
        <UsageBar {...usage} />
      </div>
    </li>
  );
}
