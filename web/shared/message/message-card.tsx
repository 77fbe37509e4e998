import type { CarriedMedia } from '#contracts/carried-media.ts';
import { formatTime } from '../time-format.ts';
import { Card } from '../ui/card.tsx';
import { Chat, ChatBubble } from '../ui/chat-bubble.tsx';
import { CarriedContent } from './carried-content.tsx';

type MessageCardProps = {
  text: string;
  /** The file above the text. */
  media: CarriedMedia | null;
  /** ISO 8601. */
  at: string;
};

/** The message of a campaign, a flow or a bulk run, its placeholders as they were written. */
export function MessageCard({ text, media, at }: MessageCardProps) {
  return (
    <Card flush title="Message" className="overflow-hidden">
      <Chat className="max-h-96 overflow-y-auto border-t">
        <ChatBubble
          text={text}
          time={formatTime(at)}
          status="unsent"
          carried={media !== null && <CarriedContent media={media} />}
        />
      </Chat>
    </Card>
  );
}
