import type { Message } from '#contracts/messages.ts';
import type { Profile } from '#contracts/profiles.ts';
import type { SuppressionEvent } from '#contracts/suppressions.ts';

/** Something that happened with a person. */
export type TimelineEntry =
  | { kind: 'sent' | 'received'; at: string; key: string; message: Message }
  | { kind: 'opt'; at: string; key: string; event: SuppressionEvent }
  | { kind: 'created'; at: string; key: string };

type Happened = { profile: Profile; messages: readonly Message[]; log: readonly SuppressionEvent[] };

/** The newest first; the profile's beginning is among them unless there is more before it that is not shown. */
export function timelineEntries({ profile, messages, log }: Happened, isWhole: boolean): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...messages.map((message): TimelineEntry => ({
      kind: message.direction === 'outgoing' ? 'sent' : 'received',
      at: message.created_at,
      key: `message ${message.id}`,
      message,
    })),
    ...log.map((event): TimelineEntry => ({ kind: 'opt', at: event.at, key: `${event.action} ${event.at}`, event })),
    { kind: 'created', at: profile.created_at, key: 'created' },
  ];
  const oldest = isWhole ? '' : (messages.at(-1)?.created_at ?? '');
  return entries.filter(({ at }) => at >= oldest).toSorted((one, other) => other.at.localeCompare(one.at));
}
