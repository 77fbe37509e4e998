import { useState, type ComponentProps, type FocusEvent, type MouseEvent } from 'react';

type Handlers = Pick<ComponentProps<'button'>, 'onClick' | 'onFocus' | 'onBlur'>;

type Switch = {
  isOff: boolean;
  /** The further clicks of a double click do nothing: the first has asked the server. */
  isOnce: boolean;
};

/**
 * Switches a button off without taking the focus from the keyboard that has just pressed it: until the focus leaves, it
 * only says that it is off, and does nothing.
 */
export function useKeptFocus({ onClick, onFocus, onBlur }: Handlers, { isOff, isOnce }: Switch) {
  const [hasFocus, setHasFocus] = useState(false);
  const isHeld = isOff && hasFocus;
  return {
    disabled: isOff && !hasFocus,
    'aria-disabled': isHeld || undefined,
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      // A button that submits would submit again.
      if (isHeld || (isOnce && event.detail > 1)) event.preventDefault();
      else onClick?.(event);
    },
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      setHasFocus(true);
      onFocus?.(event);
    },
    onBlur: (event: FocusEvent<HTMLButtonElement>) => {
      setHasFocus(false);
      onBlur?.(event);
    },
  };
}
