import { useState, type KeyboardEvent } from 'react';
import { hasPart } from '../fold-text.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { emoji } from './emoji.ts';

const columns = 8;
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };

/** Emoji to search and choose from; the arrow keys go through them. */
export function EmojiGrid({ onPick }: { onPick: (sign: string) => void }) {
  const [search, setSearch] = useState('');
  const found = emoji.filter(([, words]) => hasPart(words, search));

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
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys go from one button within to the next
    <div onKeyDown={handleKey}>
      <input
        type="search"
        aria-label="Search emoji"
        placeholder="Search emoji"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0]) onPick(found[0][0]);
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
            onClick={() => onPick(sign)}
            className="grid size-8.5 place-items-center rounded-small text-20 hover:bg-hover"
          >
            {sign}
          </button>
        ))}
      </div>
      {found.length === 0 && <p className="px-2 py-3 text-13 text-muted">No emoji found</p>}
    </div>
  );
}
