import { formatTime } from '../time-format.ts';
import { Card } from '../ui/card.tsx';
import { Chat, ChatBubble } from '../ui/chat-bubble.tsx';

/** What a campaign, a flow or a bulk run says, its placeholders as they were written; `at` in ISO 8601. */
export function MessageCard({ text, at }: { text: string; at: string }) {
  return (
    <Card flush title="Message" className="overflow-hidden">
      <Chat className="max-h-72 overflow-y-auto border-t">
        <ChatBubble text={text} time={formatTime(at)} status="sent" />
      </Chat>
    </Card>
  );
}
