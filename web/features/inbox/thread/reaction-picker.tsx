import { Plus, SmilePlus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { EmojiGrid } from '#web/shared/message/emoji-grid.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';

/** The reactions that the handset offers first. */
const quick = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;

type ReactionPickerProps = {
  /** The account's own reaction, which the same button takes back. */
  own: string | undefined;
  /** Empty takes the reaction back. */
  onReact: (emoji: string) => void;
};

export function ReactionPicker({ own, onReact }: ReactionPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [showsAll, setShowsAll] = useState(false);

  function handleOpen(next: boolean): void {
    setOpen(next);
    setShowsAll(false);
  }

  function pick(sign: string): void {
    handleOpen(false);
    onReact(sign === own ? '' : sign);
  }

  return (
    <Popover.Root open={isOpen} onOpenChange={handleOpen}>
      <Popover.Trigger asChild>
        <IconButton label="React" size="small" icon={<SmilePlus className="size-4" />} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          sideOffset={6}
          collisionPadding={8}
          aria-label="React"
          className="z-60 animate-fade-in rounded-large bg-raised p-1.5 shadow-popover"
        >
          {showsAll ? (
            <div className="w-73">
              <EmojiGrid onPick={pick} />
            </div>
          ) : (
            <div className="flex items-center gap-0.5">
              {quick.map((sign) => (
                <button
                  key={sign}
                  type="button"
                  aria-label={sign === own ? `Take ${sign} back` : `React with ${sign}`}
                  aria-pressed={sign === own}
                  onClick={() => pick(sign)}
                  className="grid size-9 place-items-center rounded-small text-20 hover:bg-hover aria-pressed:bg-accent-subtle"
                >
                  {sign}
                </button>
              ))}
              <IconButton label="More emoji" icon={<Plus className="size-4" />} onClick={() => setShowsAll(true)} />
            </div>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
