import { Smile } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { EmojiGrid } from '#web/shared/message/emoji-grid.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';

type EmojiPickerProps = {
  disabled: boolean;
  onPick: (sign: string) => void;
  /** The focus goes back to what is being written. */
  onClosed: () => void;
};

export function EmojiPicker({ disabled, onPick, onClosed }: EmojiPickerProps) {
  const [isOpen, setOpen] = useState(false);

  function pick(sign: string): void {
    onPick(sign);
    setOpen(false);
  }

  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton label="Emoji" icon={<Smile className="size-4" />} disabled={disabled} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Emoji"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
          className="z-60 w-76 animate-fade-in rounded-base bg-raised p-2 shadow-popover"
        >
          <EmojiGrid onPick={pick} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
