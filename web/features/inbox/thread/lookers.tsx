import { clsx } from 'clsx';
import { Pencil } from 'lucide-react';
import type { PresentMember } from '#contracts/conversation-presence.ts';
import { initials } from '#web/shared/initials.ts';

const mostShown = 3;

const wordOf = ({ name, state }: PresentMember) => `${name} is ${state}`;

/** The other members who have the conversation open: a pencil for those who write. */
export function Lookers({ others }: { others: readonly PresentMember[] }) {
  if (others.length === 0) return null;
  const shown = others.toSorted((a, b) => Number(b.state === 'writing') - Number(a.state === 'writing'));
  const text = shown.map(wordOf).join(', ');
  return (
    <span role="img" aria-label={text} title={text} className="flex shrink-0 -space-x-1.5">
      {shown.slice(0, mostShown).map(({ id, name, state }) => (
        <span
          key={id}
          className={clsx(
            'relative grid size-6 place-items-center rounded-full border-2 border-page bg-blue-wash text-[0.625rem] font-semibold text-blue-ink',
            state === 'writing' && 'ring-2 ring-accent',
          )}
        >
          {initials(name)}
          {state === 'writing' && (
            <Pencil className="absolute -right-1 -bottom-1 size-3 rounded-full bg-page p-px text-accent-ink" />
          )}
        </span>
      ))}
      {shown.length > mostShown && (
        <span className="grid size-6 place-items-center rounded-full border-2 border-page bg-gray-wash text-[0.625rem] text-gray-ink">
          +{shown.length - mostShown}
        </span>
      )}
    </span>
  );
}

/** Beneath the messages: who is about to answer. */
export function Writers({ others }: { others: readonly PresentMember[] }) {
  const names = others.filter(({ state }) => state === 'writing').map(({ name }) => name);
  const [first, ...rest] = names;
  return (
    <p role="status" className="px-4 py-1 text-12 text-muted empty:hidden">
      {first !== undefined && (
        <>
          <bdi className="font-medium text-ink">{first}</bdi>
          {rest.length === 0 ? ' is writing' : ` and ${rest.length} more are writing`}
        </>
      )}
    </p>
  );
}
