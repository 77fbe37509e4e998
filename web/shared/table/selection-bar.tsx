import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { countedText } from '../counted.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { Selection } from './use-selection.ts';

type SelectionBarProps<Row> = {
  selection: Selection<Row>;
  /** How many the filters find; all of them can be chosen where the actions take that. */
  total?: number | undefined;
  /** Whether there are about so many. */
  isEstimate?: boolean;
  /** 'profiles' */
  noun: string;
  /** The actions. */
  children: ReactNode;
};

/** The actions on the chosen rows; the bar stays in sight at the foot of the page. */
export function SelectionBar<Row>({ selection, total, isEstimate = false, noun, children }: SelectionBarProps<Row>) {
  const { count, isAll, selectAll, clear } = selection;
  if (count === 0) return null;
  const isMore = !isAll && total !== undefined && total > count;
  return (
    <div
      role="toolbar"
      aria-label={`Actions for ${count.toLocaleString('en')} selected ${noun}`}
      className="sticky bottom-4 z-30 mx-auto flex w-fit max-w-full animate-fade-in flex-wrap items-center gap-x-4 gap-y-2 rounded-large border bg-raised py-2 pr-2 pl-4 shadow-popover max-sm:bottom-2"
    >
      <span className="flex items-baseline gap-3 text-13 tabular-nums" role="status">
        <b className="font-semibold first-letter:uppercase">
          {countedText({ count, is_estimate: isAll && isEstimate })} selected
        </b>
        {isMore && (
          <button type="button" onClick={selectAll} className="rounded-small text-accent-ink hover:underline">
            Select all {isEstimate && 'of '}
            {countedText({ count: total, is_estimate: isEstimate })}
          </button>
        )}
      </span>
      <span className="flex flex-wrap items-center gap-1.5">
        {children}
        <IconButton label="Clear selection" icon={<X aria-hidden="true" className="size-4" />} onClick={clear} />
      </span>
    </div>
  );
}
