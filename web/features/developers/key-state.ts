import type { ProjectKey } from '#contracts/project-keys.ts';
import type { StatusColor } from '#web/shared/ui/status-badge.tsx';

type KeyState = { word: string; color: StatusColor };

const soonMs = 7 * 24 * 60 * 60_000;

/** The text of a key's badge. */
export function keyState(key: Pick<ProjectKey, 'expires_at' | 'replaced_at'>, now: number): KeyState {
  const leftMs = key.expires_at === null ? Infinity : Date.parse(key.expires_at) - now;
  if (leftMs <= 0) return { word: 'Expired', color: 'gray' };
  if (key.replaced_at !== null) return { word: 'Rotating out', color: 'yellow' };
  if (leftMs < soonMs) return { word: 'Expires soon', color: 'yellow' };
  return { word: 'Active', color: 'green' };
}
