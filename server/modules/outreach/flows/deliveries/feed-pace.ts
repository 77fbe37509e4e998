import type { WaitingReason } from '#contracts/waiting-reason.ts';
import { assertNever } from '#server/platform/errors.ts';

const blockedMs = 5_000;
const lapsedMs = 60_000;

type Outcome = { waitingFor: WaitingReason | null; room: number; isMoreWaiting: boolean };

/**
 * How long a flow is left alone after a step. The more room its phones had made since the step before, the sooner they
 * are out of messages. A flow with all its deliveries in the outbox is polled only rarely.
 */
export function restMs({ waitingFor, room, isMoreWaiting }: Outcome): number {
  switch (waitingFor) {
    case 'subscription':
    case 'account_suspended':
      return lapsedMs;
    case 'no_connected_phone':
    case 'phones_inactive':
    case 'sandbox_resting':
    case 'daily_limit':
    case 'contact_capped':
    case 'phone_allowance':
    case 'phone_linked_recently':
    case 'phone_night':
    case 'phone_hourly':
    case 'phone_limited':
    case 'phone_capped':
    case 'phone_locked':
    case 'phone_canary':
    case 'portfolio_limit':
    case 'phone_restricted':
    case 'template_paused':
    case 'template_changed':
    case 'template_unusable':
      return blockedMs;
    case null:
      if (!isMoreWaiting) return blockedMs;
      if (room >= 40) return 0;
      return room >= 10 ? 200 : 1_000;
    default:
      return assertNever(waitingFor);
  }
}
