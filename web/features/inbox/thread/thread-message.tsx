import { Reply } from 'lucide-react';
import { memo } from 'react';
import type { Message } from '#contracts/messages.ts';
import { MessageBubble } from '#web/shared/message/message-bubble.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { ChangeMenu } from './change-menu.tsx';
import { ForwardButton } from './forward-button.tsx';
import { ReactionPicker } from './reaction-picker.tsx';
import { ownReaction } from './use-reactions.ts';

type ThreadMessageProps = {
  message: Message;
  quoted: Message | undefined;
  name: string;
  /** The user jumped to this message. */
  isMarked: boolean;
  /** Undefined for those whose role writes nothing. */
  onAnswer: ((message: Message) => void) | undefined;
  /** Undefined where nothing can be sent. */
  onReact: ((messageId: number, emoji: string) => void) | undefined;
  onJump: (messageId: number) => void;
  /** The time, told again now and then. */
  now: number;
  onChanged: (message: Message) => void;
};

export const ThreadMessage = memo(function ThreadMessage(props: ThreadMessageProps) {
  const { message, quoted, name, isMarked, onAnswer, onReact, onJump, now, onChanged } = props;
  const canBeAnswered = hasReachedNetwork(message);
  return (
    <div className={isMarked ? '-mx-4 animate-flash rounded-base px-4' : undefined}>
      <MessageBubble
        message={message}
        quoted={quoted}
        name={name}
        onShowQuoted={quoted && (() => onJump(quoted.id))}
        onTakeBack={canBeAnswered && onReact ? () => onReact(message.id, '') : undefined}
        actions={
          canBeAnswered && (
            <span className="flex">
              {onReact !== undefined && (
                <ReactionPicker own={ownReaction(message)} onReact={(emoji) => onReact(message.id, emoji)} />
              )}
              {onAnswer !== undefined && (
                <IconButton
                  label="Reply"
                  size="small"
                  icon={<Reply className="size-4" />}
                  onClick={() => onAnswer(message)}
                />
              )}
              {onReact !== undefined && <ForwardButton message={message} />}
              {onReact !== undefined && <ChangeMenu message={message} now={now} onChanged={onChanged} />}
            </span>
          )
        }
      />
    </div>
  );
});

/** Messages that have reached the network can be quoted and reacted to there. */
const hasReachedNetwork = ({ status, deleted_at: deletedAt, type }: Message) =>
  type !== 'call' && deletedAt === null && status !== 'failed' && status !== 'scheduled' && status !== 'pending';
