import type { Message } from '#contracts/messages.ts';
import { formatDateTime } from '#web/shared/time-format.ts';

type Step = {
  name: string;
  at: string | null;
  note: string | undefined;
  color: 'gray' | 'blue' | 'green' | 'red';
  /** `+2m 16s` since the step before. */
  after: string | undefined;
};

/** The known steps of a message, in the order of time. */
export function stepsOf(message: Message): readonly Step[] {
  const { direction, created_at, send_at, sent_at, delivered_at, read_at, edited_at, deleted_at, status, error } =
    message;
  const steps: Omit<Step, 'after'>[] =
    direction === 'incoming'
      ? [
          { name: 'Sent', at: sent_at, note: 'By the person, as the network says', color: 'gray' },
          { name: 'Received', at: created_at, note: undefined, color: 'green' },
        ]
      : [
          {
            name: 'Accepted',
            at: created_at,
            note: send_at === null ? undefined : `To be sent ${formatDateTime(send_at)}`,
            color: 'gray',
          },
          { name: 'Sent', at: sent_at, note: 'The network took it', color: 'blue' },
          { name: 'Delivered', at: delivered_at, note: 'It is on the handset', color: 'green' },
          { name: 'Read', at: read_at, note: 'A read receipt came', color: 'green' },
        ];
  const changes: Omit<Step, 'after'>[] = [
    { name: 'Edited', at: edited_at, note: undefined, color: 'gray' },
    { name: 'Deleted', at: deleted_at, note: 'Taken back by its sender', color: 'red' },
  ];
  const past = [...steps, ...changes].filter(({ at }) => at !== null);
  const failed = { name: 'Failed', at: null, note: error ?? undefined, color: 'red' } as const;
  return (status === 'failed' ? [...past, failed] : past).map((step, index, all) => ({
    ...step,
    after: timeBetween(all[index - 1]?.at, step.at),
  }));
}

function timeBetween(from: string | null | undefined, to: string | null): string | undefined {
  if (!from || to === null) return undefined;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (seconds < 0) return undefined;
  if (seconds < 60) return `+${seconds}s`;
  if (seconds < 3600) return `+${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `+${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}
