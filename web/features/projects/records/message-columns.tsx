import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import type { Message } from '#contracts/messages.ts';
import { KindIcon } from '#web/shared/message/kind-icon.tsx';
import { Thumbnail } from '#web/shared/message/media/thumbnail.tsx';
import { messageSummary } from '#web/shared/message/message-summary.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { StatusBadge, statusWord } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { RecordToggle, type useOpenRecords } from './record-toggle.tsx';

export function messageColumns(open: ReturnType<typeof useOpenRecords>): readonly Column<Message>[] {
  return [
    {
      id: 'to',
      header: 'To',
      onCard: 'title',
      cell: (message) => (
        <RecordToggle isOpen={open.isOpen(message.id)} onToggle={() => open.toggle(message.id)}>
          <Correspondent message={message} />
        </RecordToggle>
      ),
    },
    {
      id: 'message',
      header: 'Message',
      fluid: true,
      cell: (message) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <KindIcon message={message} />
          <Thumbnail message={message} className="size-7" />
          <span className="min-w-0 truncate" dir="auto">
            {messageSummary(message)}
          </span>
        </span>
      ),
    },
    { id: 'direction', header: 'Direction', cell: ({ direction }) => <Direction direction={direction} /> },
    {
      id: 'status',
      header: 'Status',
      onCard: 'badge',
      cell: ({ status }) => <StatusBadge kind="message" status={status} />,
    },
    {
      id: 'date',
      header: 'Date',
      align: 'right',
      cell: ({ created_at }) => (
        <span className="text-muted">
          <DateTime at={created_at} />
        </span>
      ),
    },
  ];
}

/** The other side: who it goes to, or who it is from. */
function Correspondent({ message: { direction, to, from } }: { message: Message }) {
  if (direction === 'outgoing') return to === null ? '–' : <PhoneText digits={to} />;
  return (
    <>
      <span className="font-regular text-muted">from </span>
      {from === null ? '–' : <PhoneText digits={from} />}
    </>
  );
}

function Direction({ direction }: Pick<Message, 'direction'>) {
  const Icon = direction === 'incoming' ? ArrowDownLeft : ArrowUpRight;
  return (
    <Tag icon={<Icon aria-hidden="true" />}>
      <span className="min-[720px]:max-xl:sr-only">{statusWord(direction)}</span>
    </Tag>
  );
}
