import type { Campaign } from '#contracts/campaigns.ts';
import { formatTime } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';

/** What the campaign says, its placeholders as they were written. */
export function MessageCard({ campaign: { message, started_at, when, created_at } }: { campaign: Campaign }) {
  return (
    <Card flush title="Message" className="overflow-hidden">
      <Chat className="max-h-72 overflow-y-auto border-t">
        <ChatBubble text={message} time={formatTime(started_at ?? when ?? created_at)} status="sent" />
      </Chat>
    </Card>
  );
}
