/** `open`: the steps were seen here before they were all done; `closed`: they are done, or not wanted. */
export type ChecklistMemory = 'open' | 'closed';

const keyOf = (userId: number) => `dovepost.first-steps.${userId}`;

/** Reads this browser's memory of an account's first steps; it lasts beyond signing out. */
export function readChecklistMemory(userId: number): ChecklistMemory | undefined {
  try {
    const stored = localStorage.getItem(keyOf(userId));
    return stored === 'open' || stored === 'closed' ? stored : undefined;
  } catch {
    return undefined;
  }
}

export function rememberChecklist(userId: number, memory: ChecklistMemory): void {
  try {
    localStorage.setItem(keyOf(userId), memory);
  } catch {
    // Storage is blocked or full: the next page load works it out again.
  }
}
