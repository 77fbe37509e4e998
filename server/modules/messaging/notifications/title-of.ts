import type { NotificationKind } from '#contracts/notifications.ts';

type Words = {
  kind: NotificationKind;
  count: number;
  /** The member who did it; null: nobody, or a program. */
  actor: string | null;
  contact: string;
  alert: string;
};

/** Names at most: texts are for whoever asked for them. */
export function titleOf({ kind, count, actor, contact, alert }: Words): string {
  switch (kind) {
    case 'assigned':
      return `${actor ?? 'A program'} gave you ${contact}`;
    case 'mentioned':
      return `${actor ?? 'A program'} mentioned you on ${contact}`;
    case 'message_mine':
      return count === 1 ? `${contact} wrote to you` : `${contact} wrote ${count.toLocaleString('en')} messages to you`;
    case 'message_unassigned':
      return count === 1 ? `${contact} wrote` : `${contact} wrote ${count.toLocaleString('en')} messages`;
    case 'snooze_ended':
      return `${contact} is back from its snooze`;
    case 'alert':
      return alert;
  }
}
