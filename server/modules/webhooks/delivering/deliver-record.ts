import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { AttemptOutcome, WebhookSender } from '../sending/send-webhook.ts';
import { webhookSecretContext } from '../webhook-secret.ts';
import { attemptResult } from './attempt-result.ts';
import type { ClaimedWebhook } from './claim-due-webhooks.ts';
import { settleWebhooks } from './settle-webhooks.ts';
import type { SettledWebhook } from './settle-webhooks.ts';

/** Makes one attempt for a claimed record and writes down what came of it. Never rejects. */
export type DeliverRecord = (record: ClaimedWebhook, signal: AbortSignal) => Promise<SettledWebhook>;

const settleTries = 5;
const settlePauseMs = 1000;

export function createRecordDelivery(ctx: Context, sender: WebhookSender, random: () => number): DeliverRecord {
  const settling = createBatcher<SettledWebhook, undefined>(
    async (items) => {
      await settleWebhooks(ctx, items);
      return items.map(() => undefined);
    },
    { maxItems: 500 },
  );

  async function settle(item: SettledWebhook): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await settling.add(item);
      } catch (err) {
        ctx.logger.error({ err, webhook_id: item.record.id }, 'a webhook result could not be stored');
        // The lease runs out and the record goes out once more: receivers tell a repetition by its webhook-id.
        if (attempt === settleTries) return;
        await delay(settlePauseMs);
      }
    }
  }

  return async (record, signal) => {
    const outcome = await attemptDelivery(ctx, sender, record, signal);
    const result = attemptResult(record, outcome, { now: ctx.clock.now(), random: random() });
    const item = { record, result };
    await settle(item);
    return item;
  };
}

async function attemptDelivery(
  ctx: Context,
  sender: WebhookSender,
  record: ClaimedWebhook,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  if (record.project_url === null) {
    return { kind: 'undeliverable', error: 'The project no longer has a webhook URL' };
  }
  let secret: string;
  try {
    secret = ctx.secrets.open(record.webhook_secret_sealed, webhookSecretContext(record.account_id));
  } catch (err) {
    ctx.logger.error({ err, project_id: record.project_id }, 'a webhook secret could not be read');
    return { kind: 'failed', error: 'The webhook secret could not be read. Replace it on the project page.' };
  }
  const { event_id: eventId, url, payload } = record;
  return sender.send({ eventId, url, payload, secret, at: ctx.clock.now() }, signal);
}
