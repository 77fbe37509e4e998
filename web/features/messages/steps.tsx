import { clsx } from 'clsx';
import type { Message } from '#contracts/messages.ts';
import { formatExactTime, formatTimeToSecond } from '#web/shared/time-format.ts';
import { stepsOf } from './message-steps.ts';

const dots = { gray: 'bg-gray-dot', blue: 'bg-blue-dot', green: 'bg-green-dot', red: 'bg-red-dot' } as const;

/** The way of a message through its states, with the time from one to the next. */
export function Steps({ message }: { message: Message }) {
  return (
    <ol className="grid text-13">
      {stepsOf(message).map(({ name, at, note, color, after }, index) => (
        <li key={name} className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3">
          <span aria-hidden="true" className="grid justify-items-center">
            <span className={clsx('mt-1.5 size-2 rounded-full', dots[color])} />
            {index < stepsOf(message).length - 1 && <span className="w-px flex-1 bg-line-strong" />}
          </span>
          <span className="min-w-0 pb-3">
            <b className="block font-medium">{name}</b>
            {note !== undefined && <span className="block text-12 text-pretty text-muted wrap-anywhere">{note}</span>}
          </span>
          <span className="text-right tabular-nums">
            {at === null ? (
              '–'
            ) : (
              <time dateTime={at} title={formatExactTime(at)}>
                {formatTimeToSecond(at)}
              </time>
            )}
            {after !== undefined && <span className="block text-12 text-muted">{after}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
