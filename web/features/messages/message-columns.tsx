import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import type { Message } from '#contracts/messages.ts';
import { KindIcon } from '#web/shared/message/kind-icon.tsx';
import { Thumbnail } from '#web/shared/message/media/thumbnail.tsx';
import { messageSummary } from '#web/shared/message/message-summary.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { formatDate, formatExactTime, formatTimeToSecond } from '#web/shared/time-format.ts';
import { Badge, StatusBadge } from '#web/shared/ui/status-badge.tsx';

type Rows = { nameOf: (profileId: number | null) => string | undefined; onOpen: (messageId: number) => void };

export function messageColumns({ nameOf, onOpen }: Rows): readonly Column<Message>[] {
  return [
    {
      id: 'contact',
      header: 'Contact',
      onCard: 'title',
      cell: (message) => (
        <button
          type="button"
          onClick={() => onOpen(message.id)}
          className="-mx-1 grid w-full min-w-0 rounded-small px-1 min-[720px]:w-40 lg:w-52 text-left hover:text-accent-ink"
        >
          <Contact message={message} name={nameOf(message.profile_id)} />
        </button>
      ),
    },
    {
      id: 'message',
      header: 'Message',
      fluid: true,
      cell: (message) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <Direction direction={message.direction} />
          <KindIcon message={message} />
          <Thumbnail message={message} className="size-7" />
          <span className="truncate" dir="auto">
            {messageSummary(message)}
          </span>
        </span>
      ),
    },
    { id: 'status', header: 'Status', onCard: 'badge', cell: (message) => <MessageState message={message} /> },
    {
      id: 'time',
      header: 'Time',
      align: 'right',
      cell: ({ created_at: at }) => (
        <time dateTime={at} title={formatExactTime(at)} className="inline-grid whitespace-nowrap tabular-nums lg:block">
          {formatTimeToSecond(at)} <span className="text-12 text-muted">{formatDate(at)}</span>
        </time>
      ),
    },
  ];
}

/** Incoming messages count as received; outgoing ones show their status. */
export function MessageState({ message: { direction, status } }: { message: Message }) {
  if (direction === 'incoming') return <Badge color="gray">Received</Badge>;
  return <StatusBadge kind="message" status={status} />;
}

function Contact({ message: { direction, from, to }, name }: { message: Message; name: string | undefined }) {
  const format = usePhoneFormat();
  const digits = direction === 'incoming' ? from : to;
  const number = digits === null ? 'Hidden number' : format(digits);
  return (
    <>
      <span className="truncate font-medium">
        <bdi>{name ?? number}</bdi>
      </span>
      {name !== undefined && <span className="truncate text-12 text-muted tabular-nums">{number}</span>}
    </>
  );
}

function Direction({ direction }: Pick<Message, 'direction'>) {
  const Icon = direction === 'incoming' ? ArrowDownLeft : ArrowUpRight;
  return (
    <>
      <Icon aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      <span className="sr-only">{direction === 'incoming' ? 'Incoming:' : 'Outgoing:'}</span>
    </>
  );
}
