import { RotateCw, Trash2 } from 'lucide-react';
import { AttachedPreview } from '#web/shared/attach/attached-preview.tsx';
import { useMentionsIn } from '#web/shared/message/mentions.tsx';
import { formatTime } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { MarkedText, Ticks } from '#web/shared/ui/chat-bubble.tsx';
import { readMarks } from '#web/shared/ui/message-marks.ts';
import type { PendingReply } from '../composer/pending-replies.ts';

type PendingBubbleProps = {
  reply: PendingReply;
  onRetry: (reply: PendingReply) => void;
  onDiscard: (reply: PendingReply) => void;
};

/** A reply before the server has it, or that it refused: with the reason, and both ways on. */
export function PendingBubble({ reply, onRetry, onDiscard }: PendingBubbleProps) {
  const isFailed = reply.state === 'failed';
  const renderText = useMentionsIn(reply.mentions.map(({ phone }) => phone));
  return (
    <div className="flex w-full flex-col items-end gap-1">
      <div className="max-w-[min(88%,34rem)] rounded-[10px] rounded-tr-[2px] bg-chat-out px-2.5 py-1.5 text-chat-ink shadow-[0_1px_1px_oklch(0_0_0/0.09)]">
        <span className="sr-only">You:</span>
        {reply.attachment !== undefined && <AttachedPreview attachment={reply.attachment} />}
        {reply.text !== '' && (
          <span className="block whitespace-pre-wrap [unicode-bidi:plaintext] wrap-anywhere">
            <MarkedText parts={readMarks(reply.text)} renderText={renderText} />
          </span>
        )}
        <span className="mt-0.5 flex items-center justify-end gap-1 text-[0.6875rem] leading-3.5 text-chat-meta tabular-nums">
          {formatTime(reply.at)}
          <Ticks status={isFailed ? 'failed' : 'pending'} />
        </span>
      </div>
      {isFailed && (
        <div role="alert" className="flex flex-wrap items-center justify-end gap-1.5 text-12 text-red-ink">
          <span>Not sent. {reply.error}</span>
          <Button size="small" icon={<RotateCw className="size-3.5" />} onClick={() => onRetry(reply)}>
            Try again
          </Button>
          <Button
            size="small"
            variant="ghost-danger"
            icon={<Trash2 className="size-3.5" />}
            onClick={() => onDiscard(reply)}
          >
            Discard
          </Button>
        </div>
      )}
    </div>
  );
}
