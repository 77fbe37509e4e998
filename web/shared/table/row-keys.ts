import type { KeyboardEvent } from 'react';
import type { Selection } from './use-selection.ts';

const controls = 'input[type=checkbox], a[href], button:not([disabled])';

/**
 * Keys within the rows of a table or its cards, `data-row` each: up, down, Home and End lead to the same control of
 * another row, `x` chooses the row (with Shift all between), Escape chooses none.
 */
export function handleRowKeys<Row>(
  event: KeyboardEvent,
  rows: readonly Row[] | undefined,
  selection: Selection<Row> | undefined,
): void {
  const target = event.target as HTMLElement;
  const current = target.closest('[data-row]');
  const isTyping = target.matches('input:not([type=checkbox]), textarea, select');
  if (rows === undefined || current === null || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  // An open menu or dialog has the keys of its opener.
  if (target.getAttribute('aria-expanded') === 'true' || target.closest('[role=menu], [role=dialog]') !== null) return;
  const at = Number(current.getAttribute('data-row'));
  const row = rows[at];
  if (event.key === 'x' || event.key === 'X') {
    if (selection === undefined || row === undefined) return;
    selection.toggle(row, { range: event.shiftKey });
  } else if (event.key === 'Escape') {
    if (selection === undefined || selection.count === 0) return;
    selection.clear();
  } else {
    const next = nextPlace(event.key, at, rows.length);
    if (next === undefined || target.getAttribute('aria-haspopup') !== null) return;
    const place = [...current.querySelectorAll(controls)].indexOf(target);
    const found = event.currentTarget.querySelector(`[data-row="${next}"]`)?.querySelectorAll<HTMLElement>(controls);
    (found?.[place] ?? found?.[0])?.focus();
  }
  event.preventDefault();
}

function nextPlace(key: string, at: number, count: number): number | undefined {
  const places: Partial<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 };
  const next = places[key];
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1);
}
