import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type ListboxOptionProps = {
  id: string;
  isActive: boolean;
  /** Of a list in which several may be chosen, or one stays so. */
  isChosen?: boolean;
  isOff?: boolean;
  onChoose: () => void;
  /** The pointer moves over it. */
  onPoint?: () => void;
  className: string;
  children: ReactNode;
};

/** An option of a listbox whose field keeps the focus and the keys; the active one stays in sight. */
export function ListboxOption(props: ListboxOptionProps) {
  const { id, isActive, isChosen, isOff = false, onChoose, onPoint, className, children } = props;
  return (
    // The field has the focus and the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      aria-checked={isChosen}
      aria-disabled={isOff || undefined}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      // A press must not take the focus out of the field.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onPoint}
      onClick={onChoose}
      className={clsx('flex cursor-pointer rounded-small aria-selected:bg-hover', className)}
    >
      {children}
    </div>
  );
}
