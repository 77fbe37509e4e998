import type { PhoneHealth, PhoneHealthState } from '#contracts/phone-health.ts';
import { formatDateTime } from '../time-format.ts';
import { Badge, type StatusColor } from './status-badge.tsx';

type Look = { color: StatusColor; word: string };

export const healthLooks: Readonly<Record<PhoneHealthState, Look>> = {
  warming: { color: 'blue', word: 'Warming up' },
  healthy: { color: 'green', word: 'Healthy' },
  watch: { color: 'yellow', word: 'Under watch' },
  limited: { color: 'red', word: 'Limited' },
  capped: { color: 'red', word: 'Capped' },
  locked: { color: 'red', word: 'Locked' },
};

/** What stops its queued messages, or some of them. */
export const isStopped = ({ state }: PhoneHealth) => state === 'limited' || state === 'capped' || state === 'locked';

/** What is to be shown of a phone's health: a sandbox for which nothing is simulated has none to speak of. */
export const shownHealth = ({ health }: { health: PhoneHealth | null }): PhoneHealth | null =>
  health?.simulated && health.state === 'healthy' ? null : health;

/** `Limited until 21 Nov 2026, 09:40` */
export function HealthBadge({ health }: { health: PhoneHealth }) {
  const { color, word } = healthLooks[health.state];
  const until = isStopped(health) && health.until !== null ? ` until ${formatDateTime(health.until)}` : '';
  return <Badge color={color}>{`${word}${until}`}</Badge>;
}
