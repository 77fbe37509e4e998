import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookAttempt } from '#contracts/webhooks.ts';
import type { Context } from '#server/context.ts';
import { openWebhookSecret } from '#server/modules/identity/projects/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import type { Health } from '#server/platform/service.ts';
import { bodyText } from '../event-record.ts';
import type { AttemptOutcome, WebhookSender } from '../sending/send-webhook.ts';
import { attemptResult } from './attempt-result.ts';
import type { ClaimedWebhook } from './claim-due-webhooks.ts';
import { settleWebhooks } from './settle-webhooks.ts';
import type { SettledWebhook } from './attempt-result.ts';
import { traceDelivery } from './trace-delivery.ts';

/** Makes one attempt for a claimed record and writes down what came of it. Never rejects. */
export type DeliverRecord = (record: ClaimedWebhook, signal: AbortSignal) => Promise<SettledWebhook>;

const settleTries = 5;
const settlePauseMs = 1000;
const failsAfterMs = 60_000;

/** In the place of a result that cannot be stored. */
const unstorable = { status: 'failed', statusCode: null, nextAttemptAt: null } as const;
const unstorableError = 'What came of the attempt could not be recorded';

type Options = {
  sender: WebhookSender;
  health: Health;
  random: () => number;
  /** An endpoint was switched off: its owner is owed a mail. */
  onSwitchedOff(): void;
};

export function createRecordDelivery(ctx: Context, options: Options): DeliverRecord {
  const { sender, health, random, onSwitchedOff } = options;
  const task = health.task('settling', { failsAfterMs });
  const settling = createBatcher<SettledWebhook, undefined>(
    async (items) => {
      const isAnySwitchedOff = await settleWebhooks(ctx, items);
      task.succeeded();
      if (isAnySwitchedOff) onSwitchedOff();
      return items.map(() => undefined);
    },
    { maxItems: 500 },
  );

  /** An attempt that cannot be recorded is repeated when its lease ends: receivers recognize it by its webhook-id. */
  async function settle(item: SettledWebhook): Promise<void> {
    let current = item;
    for (let attempt = 1; attempt <= settleTries; attempt += 1) {
      try {
        task.requested();
        return await settling.add(current);
      } catch (error) {
        task.failed(error);
        if (isTransient(error)) await delay(settlePauseMs);
        else {
          const { account_id: accountId, id: webhookId } = item.record;
          health.park('webhook_result', error, { accountId, webhookId });
          if (current !== item) return;
          current = { ...item, attempt: undefined, result: { ...item.result, ...unstorable, error: unstorableError } };
        }
      }
    }
  }

  return async (record, signal) => {
    const at = ctx.clock.now();
    const startedAt = performance.now();
    const outcome = await traceDelivery(ctx, record, () => attemptDelivery(ctx, sender, record, signal));
    const result = attemptResult(record, outcome, { now: ctx.clock.now(), random: random() });
    const durationMs = Math.round(performance.now() - startedAt);
    const item = { record, result, attempt: attemptOf(outcome, { at, durationMs }) };
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
  if (record.is_disabled) {
    return { kind: 'undeliverable', error: 'The webhook URL was switched off. Save it again to switch it on.' };
  }
  if (record.endpoint_url === null || record.secret_sealed === null) {
    return { kind: 'undeliverable', error: 'The project no longer has a webhook URL' };
  }
  let secrets: string[];
  try {
    secrets = openSecrets(ctx, { ...record, secret_sealed: record.secret_sealed });
  } catch (err) {
    ctx.logger.error({ err, project_id: record.project_id }, 'a webhook secret could not be read');
    return { kind: 'failed', error: 'The webhook secret could not be read. Replace it on the project page.' };
  }
  const { event_id: eventId, url } = record;
  return sender.send({ eventId, url, payload: bodyText(record), secrets, at: ctx.clock.now() }, signal);
}

type Secrets = Pick<ClaimedWebhook, 'account_id' | 'old_secret_sealed' | 'old_secret_until'> & {
  secret_sealed: Buffer;
};

/** The secret, and for a while the one before it. */
function openSecrets(ctx: Context, sealed: Secrets): string[] {
  const open = (webhook_secret_sealed: Buffer) =>
    openWebhookSecret(ctx.secrets, { account_id: sealed.account_id, webhook_secret_sealed });
  const secret = open(sealed.secret_sealed);
  const { old_secret_sealed: old, old_secret_until: until } = sealed;
  if (!old || !until || until <= ctx.clock.now()) return [secret];
  try {
    return [secret, open(old)];
  } catch {
    // Encrypted with a key that is gone: the new one signs alone.
    return [secret];
  }
}

/** The stored form of an attempt; none for an attempt that we interrupted ourselves. */
function attemptOf(
  outcome: AttemptOutcome,
  { at, durationMs }: { at: Date; durationMs: number },
): WebhookAttempt | undefined {
  if (outcome.kind === 'interrupted') return undefined;
  return {
    at: at.toISOString(),
    status_code: 'statusCode' in outcome ? (outcome.statusCode ?? null) : null,
    duration_ms: durationMs,
    error: outcome.kind === 'delivered' ? null : outcome.error,
    answer: 'answer' in outcome ? (outcome.answer ?? null) : null,
  };
}
