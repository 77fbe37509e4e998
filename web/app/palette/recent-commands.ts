import { logFailure } from '#web/shared/log-failure.ts';

/** A chosen command; the label is for objects that are no longer listed. */
export type RecentCommand = { id: string; label: string };

const maxRecent = 5;
const keyPrefix = 'dovepost.recent-commands.';

/** The latest choices of a user in this browser, the last one first. */
export function recentCommands(userId: number): RecentCommand[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyPrefix + userId) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(userId: number, { id, label }: RecentCommand): void {
  const others = recentCommands(userId).filter((recent) => recent.id !== id);
  try {
    localStorage.setItem(keyPrefix + userId, JSON.stringify([{ id, label }, ...others].slice(0, maxRecent)));
  } catch (error) {
    logFailure('The choice could not be remembered.', error);
  }
}

export function forgetCommands(userId: number): void {
  localStorage.removeItem(keyPrefix + userId);
}

export function forgetOtherCommands(userId: number): void {
  const others = Object.keys(localStorage).filter((key) => key.startsWith(keyPrefix) && key !== keyPrefix + userId);
  for (const key of others) localStorage.removeItem(key);
}

function isRecent(value: unknown): value is RecentCommand {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('label' in value)) return false;
  return typeof value.id === 'string' && typeof value.label === 'string';
}
