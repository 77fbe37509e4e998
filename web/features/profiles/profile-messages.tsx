import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isChange } from '#contracts/message-content.ts';
import type { Message } from '#contracts/messages.ts';
import type { Profile } from '#contracts/profiles.ts';
import { errorText } from '#web/shared/api-error.ts';
import { MediaViewing } from '#web/shared/message/media/viewing.tsx';
import { MessageBubble } from '#web/shared/message/message-bubble.tsx';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { formatDate } from '#web/shared/time-format.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Chat } from '#web/shared/ui/chat-bubble.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { ScrollRegion } from '#web/shared/ui/scroll-region.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { profileMessagesQuery } from './profile-queries.ts';

const title = 'Recent messages';

export function ProfileMessages({ profile }: { profile: Profile }) {
  const format = usePhoneFormat();
  const name = profile.name ?? format(profile.phone);
  const { data: messages, error, refetch } = useQuery(profileMessagesQuery(profile.id));
  return (
    <Card
      flush
      title={title}
      className="overflow-hidden"
      actions={
        <Link to={paths.inbox} search={{ to: profile.phone }} className={buttonClass('secondary', 'small')}>
          Open conversation
        </Link>
      }
    >
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
        <Conversation messages={messages} name={name} />
      )}
    </Card>
  );
}

/** As people know it: the oldest at the top, read from the bottom. `messages` come newest first. */
function Conversation({ messages, name }: { messages: readonly Message[]; name: string }) {
  const region = useRef<HTMLDivElement>(null);
  const latestId = messages[0]?.id;
  const shownId = useRef<number>(undefined);
  useEffect(() => {
    if (shownId.current === latestId) return;
    shownId.current = latestId;
    region.current?.scrollTo({ top: region.current.scrollHeight });
  }, [latestId]);
  // A reaction is shown on the message that it is about.
  const shown = messages.filter(({ type }) => !isChange(type));
  const oldestFirst = shown.toReversed();
  return (
    <ScrollRegion ref={region} label="Conversation" className="max-h-160">
      <Chat>
        <MediaViewing messages={shown} nameOf={() => name}>
          {oldestFirst.map((message, index) => (
            <DatedMessage
              key={message.id}
              message={message}
              previous={oldestFirst[index - 1]}
              quoted={messages.find(({ id }) => id === message.reply_to)}
              name={name}
            />
          ))}
        </MediaViewing>
      </Chat>
    </ScrollRegion>
  );
}

type DatedMessageProps = { message: Message; previous: Message | undefined; quoted: Message | undefined; name: string };

function DatedMessage({ message, previous, quoted, name }: DatedMessageProps) {
  const day = formatDate(message.created_at);
  const isNewDay = previous === undefined || formatDate(previous.created_at) !== day;
  return (
    <>
      {isNewDay && <p className="py-1 text-center text-12 font-medium text-chat-meta">{day}</p>}
      <MessageBubble message={message} quoted={quoted} name={name} />
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
