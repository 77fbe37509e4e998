import { useQuery } from '@tanstack/react-query';
import type { Message } from '#contracts/messages.ts';
import type { Project } from '#contracts/projects.ts';
import { errorText } from '#web/shared/api-error.ts';
import { messageSummary } from '#web/shared/message/message-summary.ts';
import { paths } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { Badge, StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { latestMessagesQuery } from './latest-messages-query.ts';
import { ViewAllLink } from './view-all-link.tsx';

const title = 'Latest messages';
const skeletonRows = 3;

/** `project` is undefined while the projects load. */
export function LatestMessages({ project }: { project: Project | undefined }) {
  return project === undefined ? (
    <Card flush title={title}>
      <Rows messages={undefined} names={new Map()} />
    </Card>
  ) : (
    <ProjectMessages project={project} />
  );
}

function ProjectMessages({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery(latestMessagesQuery(project.id));
  return (
    <Card
      flush
      title={title}
      actions={<ViewAllLink to={paths.project} projectId={project.id} what="messages" hash="messages" />}
    >
      {data === undefined && error !== null ? (
        <ErrorPanel
          title="Failed to load messages"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      ) : (
        <Rows messages={data?.data} names={new Map(data?.profiles.map(({ id, name }) => [id, name]))} />
      )}
    </Card>
  );
}

type RowsProps = { messages: readonly Message[] | undefined; names: ReadonlyMap<number, string> };

function Rows({ messages, names }: RowsProps) {
  if (messages?.length === 0) return <p className="px-5 py-8 text-center text-muted">No messages found.</p>;
  return (
    <ul aria-busy={messages === undefined} className="divide-y">
      {messages === undefined
        ? Array.from({ length: skeletonRows }, (_, index) => (
            <li key={index} className="grid h-15 content-center gap-2.5 px-5">
              <Skeleton className="h-3 w-32" />
              <Skeleton className="h-3 w-3/5" />
            </li>
          ))
        : messages.map((message) => (
            <Row key={message.id} message={message} name={names.get(message.profile_id ?? 0)} />
          ))}
    </ul>
  );
}

function Row({ message: of, name }: { message: Message; name: string | undefined }) {
  const { direction, to, from, status, created_at } = of;
  const digits = direction === 'incoming' ? from : to;
  const number = digits === null ? 'Hidden number' : <PhoneText digits={digits} />;
  return (
    <li className="flex min-h-15 items-center gap-4 px-4 py-2 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-baseline gap-2 font-medium">
          {name === undefined ? (
            number
          ) : (
            <>
              <bdi className="max-w-full shrink-0 truncate">{name}</bdi>
              <span className="min-w-0 truncate text-12 font-normal text-muted">{number}</span>
            </>
          )}
        </p>
        <p dir="auto" className="truncate text-left text-13 text-muted">
          {messageSummary(of)}
        </p>
      </div>
      <div className="grid flex-none justify-items-end gap-0.5">
        {direction === 'incoming' ? (
          <Badge color="gray">Incoming</Badge>
        ) : (
          <StatusBadge kind="message" status={status} />
        )}
        <span className="text-12 text-muted">
          <RelativeTime at={created_at} />
        </span>
      </div>
    </li>
  );
}
