import { clsx } from 'clsx';
import { Link } from '@tanstack/react-router';
import type { FlowDelivery } from '#contracts/flows.ts';
import { paths } from '#web/shared/paths.ts';
import { EntryBadge } from '#web/shared/report/entry-badge.tsx';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { ProjectTag } from '#web/shared/ui/project-tag.tsx';

type ColumnsOf = {
  projectName: (projectId: number) => string;
  /** On a page that says it elsewhere, it gives way to the message where there is little room. */
  isProjectKnown: boolean;
};

export function deliveryColumns({ projectName, isProjectKnown }: ColumnsOf): readonly Column<FlowDelivery>[] {
  return [
    { id: 'profile', header: 'Profile ID', onCard: 'title', cell: (delivery) => <Recipient delivery={delivery} /> },
    {
      id: 'project',
      header: 'Project',
      wideOnly: isProjectKnown,
      cell: ({ project_id: id }) => <ProjectTag name={projectName(id)} />,
    },
    {
      id: 'sent_at',
      header: 'Sent At',
      cell: ({ sent_at: at }) => <span className="text-muted">{at === null ? '–' : <DateTime at={at} />}</span>,
    },
    {
      id: 'message',
      header: 'Message',
      fluid: true,
      cell: ({ message, error }) => (
        <>
          <span
            dir="auto"
            title={message ?? undefined}
            className={clsx('block text-left', error === null ? 'min-[720px]:truncate' : 'truncate')}
          >
            {message}
          </span>
          {error !== null && (
            <span title={error} className="block truncate text-12 text-red-ink">
              {error}
            </span>
          )}
        </>
      ),
    },
    { id: 'status', header: 'Status', onCard: 'badge', cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
  ];
}

/** A profile that is deleted has no page. */
function Recipient({ delivery }: { delivery: FlowDelivery }) {
  const { profile_id: id, is_profile_deleted: isGone, profile_name: name, phone } = delivery;
  if (isGone) return <span className="text-muted tabular-nums">{id} (deleted)</span>;
  return (
    <span className="block max-w-48 truncate max-[720px]:max-w-none">
      <Link
        to={paths.profile}
        params={{ profileId: String(id) }}
        className="rounded-small font-medium tabular-nums hover:text-accent-ink hover:underline"
      >
        {id}
      </Link>{' '}
      <bdi className="font-regular text-muted">{name ?? <PhoneText digits={phone} />}</bdi>
    </span>
  );
}

/** How far the message has come; it leads to the records of messages to that number. */
function DeliveryBadge({ delivery }: { delivery: FlowDelivery }) {
  const { project_id: projectId, phone, message_status: messageStatus } = delivery;
  const badge = <EntryBadge entry={delivery} />;
  if (messageStatus === null) return badge;
  return (
    <Link
      to={paths.project}
      params={{ projectId: String(projectId) }}
      search={{ number: phone }}
      title="Show the message's record"
      className="inline-flex rounded-small hover:underline"
    >
      {badge}
    </Link>
  );
}
