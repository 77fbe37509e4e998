import { ArrowLeft, Check, Ellipsis, Mail, PanelRight, RotateCcw } from 'lucide-react';
import type { PresentMember } from '#contracts/conversation-presence.ts';
import type { ConversationDetail } from '#contracts/conversations.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { useOnline } from '#web/shared/online.ts';
import { useIsTyping } from '#web/shared/typing.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Avatar } from '#web/shared/ui/avatar.tsx';
import { useContactName } from '../contact-name.tsx';
import { AssignMenu } from './assign-menu.tsx';
import { Lookers } from './lookers.tsx';
import { SnoozeMenu } from './snooze-menu.tsx';

type ThreadHeadProps = {
  conversation: ConversationDetail;
  /** Other members who have it open. */
  others: readonly PresentMember[];
  onBack: () => void;
  onShowContact: () => void;
  onSetStatus: (status: ConversationDetail['status']) => void;
  onUnread: () => void;
  onAssign: (userId: number | null) => void;
  onSnooze: (until: Date | null) => void;
};

export function ThreadHead(props: ThreadHeadProps) {
  const { conversation, others, onBack, onShowContact, onSetStatus, onUnread, onAssign, onSnooze } = props;
  const name = useContactName(conversation);
  const format = usePhoneFormat();
  const isTyping = useIsTyping(conversation.id);
  const online = useOnline(conversation.id);
  const lastSeenAt = online?.lastSeenAt ?? null;
  const isDone = conversation.status === 'done';
  return (
    <header className="flex h-16 shrink-0 items-center gap-2 border-b px-4">
      <IconButton
        label="Back to conversations"
        icon={<ArrowLeft className="size-4" />}
        onClick={onBack}
        className="-ml-2 min-[900px]:hidden"
      />
      <Avatar id={conversation.id} name={conversation.name} />
      <div className="min-w-0 flex-1 px-1">
        <h2 className="truncate text-14">
          <bdi>{name}</bdi>
        </h2>
        <p role="status" className="truncate text-12 text-accent-ink empty:hidden">
          {isTyping ? 'typing…' : online?.isOnline === true && 'online'}
        </p>
        {!isTyping && online?.isOnline !== true && (
          <p className="truncate text-12 text-muted tabular-nums">
            {conversation.name !== null && conversation.phone !== null && (
              // A narrow head has room for one of both.
              <span className={lastSeenAt === null ? undefined : 'max-sm:hidden'}>
                {format(conversation.phone)}
                {lastSeenAt !== null && ' · '}
              </span>
            )}
            {lastSeenAt !== null && (
              <>
                last seen <RelativeTime at={lastSeenAt} />
              </>
            )}
          </p>
        )}
      </div>
      <Lookers others={others} />
      <AssignMenu conversation={conversation} onAssign={onAssign} />
      <Allowed needs="messages:send">
        <SnoozeMenu conversation={conversation} onSnooze={onSnooze} />
      </Allowed>
      <Button
        needs="messages:send"
        size="small"
        icon={isDone ? <RotateCcw className="size-4" /> : <Check className="size-4" />}
        onClick={() => onSetStatus(isDone ? 'open' : 'done')}
        className="max-sm:hidden"
      >
        {isDone ? 'Reopen' : 'Mark as done'}
      </Button>
      <IconButton
        label="Show contact"
        icon={<PanelRight className="size-4" />}
        onClick={onShowContact}
        className="min-[1280px]:hidden"
      />
      <Menu
        trigger={<IconButton label="More actions" icon={<Ellipsis className="size-4" />} />}
        items={[
          {
            label: 'Mark as unread',
            needs: 'messages:send',
            icon: <Mail className="size-4" />,
            onSelect: onUnread,
          },
          {
            needs: 'messages:send',
            label: isDone ? 'Reopen' : 'Mark as done',
            icon: isDone ? <RotateCcw className="size-4" /> : <Check className="size-4" />,
            onSelect: () => onSetStatus(isDone ? 'open' : 'done'),
          },
        ]}
      />
    </header>
  );
}
