import type { RecipientStatus } from '#contracts/campaigns.ts';
import type { MessageStatus } from '#contracts/messages.ts';
import { formatDateTime } from '../time-format.ts';
import { Badge, StatusBadge, statusWord, type StatusColor } from '../ui/status-badge.tsx';

const colors: Record<RecipientStatus, StatusColor> = {
  waiting: 'gray',
  pending: 'gray',
  sent: 'blue',
  failed: 'red',
  skipped: 'gray',
};

type Entry = { status: RecipientStatus; message_status: MessageStatus | null; replied_at: string | null };

/** The outcome for a recipient: once it is sent, how far the message has come since, up to an answer. */
export function EntryBadge({
  entry: { status, message_status: messageStatus, replied_at: repliedAt },
}: {
  entry: Entry;
}) {
  if (repliedAt !== null) {
    return (
      <span title={`Answered ${formatDateTime(repliedAt)}`}>
        <Badge color="green">Replied</Badge>
      </span>
    );
  }
  if (status === 'sent' && messageStatus !== null) return <StatusBadge kind="message" status={messageStatus} />;
  return <Badge color={colors[status]}>{statusWord(status)}</Badge>;
}
