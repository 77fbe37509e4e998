import { clsx } from 'clsx';
import { StickyNote } from 'lucide-react';

export type Written = 'reply' | 'note';

type WriteChoiceProps = { value: Written; onChange: (value: Written) => void };

/** Whether the next text goes to the person or stays with the members. */
export function WriteChoice({ value, onChange }: WriteChoiceProps) {
  return (
    <div role="group" aria-label="What you write" className="flex shrink-0 gap-0.5 rounded-base bg-sunken p-0.5">
      {(['reply', 'note'] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onClick={() => onChange(each)}
          className={clsx(
            'flex h-6 items-center gap-1 rounded-small px-2 text-12 font-medium',
            each === value ? 'bg-surface text-ink shadow-control' : 'text-muted hover:text-ink',
          )}
        >
          {each === 'note' && <StickyNote aria-hidden="true" className="size-3.5" />}
          {each === 'reply' ? 'Reply' : 'Note'}
        </button>
      ))}
    </div>
  );
}
