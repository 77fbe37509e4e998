import type { KeyboardEvent } from 'react';

type ListboxKeys = {
  move: (step: 1 | -1) => void;
  /** Undefined while no option is active. */
  choose: (() => void) | undefined;
};

/** Arrows choose, Enter takes; while text is being composed, the keys are those of the input method. */
export function handleListboxKey(event: KeyboardEvent, { move, choose }: ListboxKeys): void {
  if (event.nativeEvent.isComposing) return;
  if (event.key === 'ArrowDown') move(1);
  else if (event.key === 'ArrowUp') move(-1);
  else if (event.key === 'Enter' && choose !== undefined) choose();
  else return;
  event.preventDefault();
}

/** The place after a step through `count` options, round at both ends; -1 is before the first. */
export function steppedIndex(index: number, step: 1 | -1, count: number): number {
  const next = index + step;
  return next >= count ? 0 : next < 0 ? count - 1 : next;
}
