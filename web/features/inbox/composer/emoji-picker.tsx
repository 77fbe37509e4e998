import { Smile } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState, type KeyboardEvent } from 'react';
import { controlClass } from '#web/shared/form/control-class.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { emoji } from '#web/shared/message/emoji.ts';

const columns = 8;
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };

type EmojiPickerProps = {
  disabled: boolean;
  onPick: (sign: string) => void;
  /** The focus goes back to what is being written. */
  onClosed: () => void;
};

export function EmojiPicker({ disabled, onPick, onClosed }: EmojiPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const found = emoji.filter(([, words]) => words.includes(search.trim().toLowerCase()));

  function handleOpen(next: boolean): void {
    setOpen(next);
    setSearch('');
  }

  function pick(sign: string): void {
    onPick(sign);
    handleOpen(false);
  }

  function handleKey(event: KeyboardEvent<HTMLDivElement>): void {
    const step = steps[event.key];
    const isTyping = event.target instanceof HTMLInputElement;
    if (step === undefined || (isTyping && event.key !== 'ArrowDown')) return;
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.findIndex((button) => button === document.activeElement);
    event.preventDefault();
    buttons[at < 0 ? 0 : Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
  }

  return (
    <Popover.Root open={isOpen} onOpenChange={handleOpen}>
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
          onKeyDown={handleKey}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
          className="z-60 w-76 animate-fade-in rounded-base bg-raised p-2 shadow-popover"
        >
          <input
            type="search"
            aria-label="Search emoji"
            placeholder="Search emoji"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && found[0]) pick(found[0][0]);
            }}
            className={`${controlClass} h-(--control-small) px-2.5 text-13`}
          />
          <div className="mt-2 grid max-h-56 grid-cols-8 gap-0.5 overflow-y-auto">
            {found.map(([sign, words]) => (
              <button
                key={sign}
                type="button"
                aria-label={words.split(' ')[0]}
                title={words.split(' ')[0]}
                onClick={() => pick(sign)}
                className="grid size-8.5 place-items-center rounded-small text-20 hover:bg-hover"
              >
                {sign}
              </button>
            ))}
          </div>
          {found.length === 0 && <p className="px-2 py-3 text-13 text-muted">No emoji found</p>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
