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

/** States in which queued messages, or some of them, are stopped. */
export const isStopped = ({ state }: PhoneHealth) => state === 'limited' || state === 'capped' || state === 'locked';

/** The health to show of a phone: none for a sandbox for which nothing is simulated. */
export const shownHealth = ({ health }: { health: PhoneHealth | null }): PhoneHealth | null =>
  health?.simulated && health.state === 'healthy' ? null : health;

/** `Limited until 21 Nov 2026, 09:40` */
export function HealthBadge({ health }: { health: PhoneHealth }) {
  const { color, word } = healthLooks[health.state];
  const until = isStopped(health) && health.until !== null ? ` until ${formatDateTime(health.until)}` : '';
  return <Badge color={color}>{`${word}${until}`}</Badge>;
}
