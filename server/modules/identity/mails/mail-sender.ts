import type { Context } from '#server/context.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { mailsChannel } from './channels.ts';
import { sendDueMails } from './send-due-mails.ts';

const pollMs = 15_000;
/** Of a mail server that takes its time, one mail after another. */
const failsAfterMs = 15 * 60_000;

/** Sends the mails that were stored with a change, or could not be sent at once. */
export function createMailSender(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'mails',
    channels: [mailsChannel],
    pollMs,
    failsAfterMs,
    work: ({ isStopped }) => sendDueMails(ctx, isStopped),
  });
}
