import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { conversationCountsQuery, countText } from '#web/shared/conversation-counts.ts';
import { useSession } from '#web/shared/session.ts';
import { setTitleCount } from '#web/shared/title-count.ts';

function useUnreadCount(): string | undefined {
  const { currentProjectId } = useSession();
  const { data } = useQuery(conversationCountsQuery(currentProjectId));
  const unread = currentProjectId === null ? 0 : (data?.unread_messages ?? 0);
  return unread === 0 ? undefined : countText(unread);
}

/** How many messages of the current project nobody has read, beside the inbox; nothing where there are none. */
export function UnreadBadge() {
  const count = useUnreadCount();
  if (count === undefined) return null;
  return (
    <span className="ml-auto grid h-4.5 min-w-4.5 place-items-center rounded-full bg-accent px-1.5 text-[0.6875rem] leading-none font-semibold text-on-accent tabular-nums">
      {count}
      <span className="sr-only"> unread</span>
    </span>
  );
}

/** The same in the document's title, for who looks at another tab. */
export function UnreadInTitle() {
  const count = useUnreadCount();
  useEffect(() => {
    setTitleCount(count);
    return () => setTitleCount(undefined);
  }, [count]);
  return null;
}
