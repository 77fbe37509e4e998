import type { Clock } from '#server/platform/clock.ts';

const firstLifetimeMs = 60_000;
const laterLifetimeMs = 20_000;

/** Until when a QR code can be scanned; the first of a connection lives longer than those after it. */
export function qrExpiry(codesBefore: number, clock: Clock): Date {
  return new Date(clock.now().getTime() + (codesBefore === 0 ? firstLifetimeMs : laterLifetimeMs));
}
