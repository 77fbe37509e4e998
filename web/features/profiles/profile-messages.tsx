import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Message } from '#contracts/messages.ts';
import { errorText } from '#web/shared/api-error.ts';
import { formatDate, formatTime } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { ScrollRegion } from '#web/shared/ui/scroll-region.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { profileMessagesQuery } from './profile-queries.ts';

const title = 'Recent messages';

export function ProfileMessages({ profileId }: { profileId: number }) {
  const { data: messages, error, refetch } = useQuery(profileMessagesQuery(profileId));
  return (
    <Card flush title={title} className="overflow-hidden">
      {messages === undefined ? (
        error === null ? (
          <LoadingConversation />
        ) : (
          <ErrorPanel
            title="Failed to load messages"
            detail={errorText(error, 'Try again in a moment.')}
            onRetry={() => void refetch()}
          />
        )
      ) : messages.length === 0 ? (
        <EmptyState
          icon={<MessagesSquare aria-hidden="true" />}
          title="No messages found."
          hint="What you send to this number, and what it answers, appears here."
        />
      ) : (
        <Conversation messages={messages} />
      )}
    </Card>
  );
}

/** As people know it: the oldest at the top, read from the bottom. `messages` come newest first. */
function Conversation({ messages }: { messages: readonly Message[] }) {
  const region = useRef<HTMLDivElement>(null);
  const latestId = messages[0]?.id;
  const shownId = useRef<number>(undefined);
  useEffect(() => {
    if (shownId.current === latestId) return;
    shownId.current = latestId;
    region.current?.scrollTo({ top: region.current.scrollHeight });
  }, [latestId]);
  const oldestFirst = messages.toReversed();
  return (
    <ScrollRegion ref={region} label="Conversation" className="max-h-160">
      <Chat>
        {oldestFirst.map((message, index) => (
          <DatedMessage key={message.id} message={message} previous={oldestFirst[index - 1]} />
        ))}
      </Chat>
    </ScrollRegion>
  );
}

function DatedMessage({ message, previous }: { message: Message; previous: Message | undefined }) {
  const day = formatDate(message.created_at);
  const isNewDay = previous === undefined || formatDate(previous.created_at) !== day;
  const isOutgoing = message.direction === 'outgoing';
  return (
    <>
      {isNewDay && <p className="py-1 text-center text-12 font-medium text-chat-meta">{day}</p>}
      <span className="sr-only">{isOutgoing ? 'Outgoing' : 'Incoming'}</span>
      <ChatBubble
        text={message.message}
        time={formatTime(message.created_at)}
        status={isOutgoing ? message.status : undefined}
      />
      {message.error !== null && <p className="self-end text-12 text-red-ink">{message.error}</p>}
    </>
  );
}

function LoadingConversation() {
  return (
    <div role="status" aria-label="Loading messages..." className="grid gap-3 px-4 py-5">
      <Skeleton className="h-9 w-3/5" />
      <Skeleton className="h-9 w-2/5 justify-self-end" />
      <Skeleton className="h-9 w-1/2" />
    </div>
  );
}
