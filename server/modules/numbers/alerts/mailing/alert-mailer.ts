import type { Context } from '#server/context.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { alertsChannel } from '../channels.ts';
import { sendDueAlerts } from './send-due-alerts.ts';

const pollMs = 15_000;
/** Of a mail server that takes its time, one mail after another. */
const failsAfterMs = 15 * 60_000;

/** Mails the alerts that are due. */
export function createAlertMailer(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'alerts',
    channels: [alertsChannel],
    pollMs,
    failsAfterMs,
    work: ({ isStopped }) => sendDueAlerts(ctx, isStopped),
  });
}
