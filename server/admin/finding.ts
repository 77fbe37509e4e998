/** `remedy`: what the operator does about it. */
export type Finding = { check: string; state: 'ok' | 'warning' | 'failed'; found: string; remedy?: string };

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });

export const finding = (check: string, state: Finding['state'], found: string, remedy: string): Finding => ({
  check,
  state,
  found,
  remedy,
});
