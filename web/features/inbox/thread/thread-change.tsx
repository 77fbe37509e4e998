import { AlarmClock, Check, RotateCcw, UserRoundCheck, UserRoundX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ConversationChange } from '#contracts/conversation-changes.ts';
import { useSession } from '#web/shared/session.ts';
import { formatDayTime, formatDateTime, formatTime } from '#web/shared/time-format.ts';

/** Between the messages: who gave the conversation to whom, put it aside or was done with it. */
export function ThreadChange({ change, now }: { change: ConversationChange; now: number }) {
  const ownId = useSession().user?.id;
  const { author, created_at: at, status, assigned_to: to, snoozed_until: until } = change;
  const isOwn = author !== null && author.id === ownId;
  const acts: ReactNode[] = [
    ...(to === undefined ? [] : [<Assigned key="to" to={to} author={author} ownId={ownId} />]),
    // Done ends a snooze, and a snooze opens what was done: only the one is said.
    ...(status === 'done' ? ['marked it as done'] : []),
    ...(until === undefined || status === 'done'
      ? []
      : [until === null ? 'brought it back' : `snoozed it until ${formatDayTime(until, now)}`]),
    ...(status === 'open' && !until ? ['opened it again'] : []),
  ];
  return (
    <p className="mx-auto flex max-w-130 items-start justify-center gap-1.5 px-2 text-12 text-chat-meta">
      <ChangeIcon change={change} />
      <span className="min-w-0 text-pretty wrap-anywhere">
        <bdi className={isOwn ? undefined : 'font-medium'}>{isOwn ? 'You' : (author?.name ?? 'A program')}</bdi>{' '}
        {acts.map((act, index) => (
          <span key={index}>
            {index > 0 && ' and '}
            {act}
          </span>
        ))}{' '}
        ·{' '}
        <time dateTime={at} title={formatDateTime(at)} className="tabular-nums">
          {formatTime(at)}
        </time>
      </span>
    </p>
  );
}

type AssignedProps = Pick<ConversationChange, 'author'> & {
  to: Exclude<ConversationChange['assigned_to'], undefined>;
  ownId: number | undefined;
};

function Assigned({ to, author, ownId }: AssignedProps) {
  if (to === null) return 'gave it to nobody';
  if (to.id === author?.id) return 'took it';
  return (
    <>
      gave it to <bdi className="font-medium">{to.id === ownId ? 'you' : to.name || 'somebody who left'}</bdi>
    </>
  );
}

const iconClass = 'mt-0.5 size-3.5 shrink-0';

function ChangeIcon({ change: { assigned_to: to, status, snoozed_until: until } }: { change: ConversationChange }) {
  if (status === 'done') return <Check aria-hidden="true" className={iconClass} />;
  if (to === null) return <UserRoundX aria-hidden="true" className={iconClass} />;
  if (to !== undefined) return <UserRoundCheck aria-hidden="true" className={iconClass} />;
  if (until !== undefined) return <AlarmClock aria-hidden="true" className={iconClass} />;
  return <RotateCcw aria-hidden="true" className={iconClass} />;
}
