import { Forward } from 'lucide-react';
import { useState } from 'react';
import { MediaType } from '#contracts/message-content.ts';
import type { Message } from '#contracts/messages.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { ForwardDialog } from './forward-dialog.tsx';

const forwardable: readonly string[] = ['text', 'location', 'contact', 'poll', ...MediaType.options];

/** Nothing for what cannot be sent on, such as a file that is gone. */
export function ForwardButton({ message }: { message: Message }) {
  const [isOpen, setOpen] = useState(false);
  const hasFile = message.media === null || message.media.state === 'stored';
  if (!forwardable.includes(message.type ?? 'text') || !hasFile) return null;
  return (
    <>
      <IconButton label="Forward" size="small" icon={<Forward className="size-4" />} onClick={() => setOpen(true)} />
      {isOpen && <ForwardDialog message={message} onClose={() => setOpen(false)} />}
    </>
  );
}
