import { sql } from 'kysely';
import { z } from 'zod';
import {
  templateCategoryOf,
  templateLanguageOf,
  templateQualityOf,
  templateReasonOf,
  templateStatusOf,
} from '#server/connectors/messaging/cloud/templates.ts';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { templateSyncChannel } from './channels.ts';

const word = z.string().optional().catch(undefined);

const Value = z.object({
  event: word,
  message_template_id: z.coerce.string().optional().catch(undefined),
  message_template_name: word,
  message_template_language: word,
  reason: word,
  new_quality_score: word,
  new_category: word,
  previous_category: word,
  other_info: z.object({ title: word, description: word }).optional().catch(undefined),
  rejection_info: z.object({ reason: word, recommendation: word }).optional().catch(undefined),
});
type Value = z.infer<typeof Value>;

/** Events after which the status is as before. */
const withoutStatus = new Set(['FLAGGED', 'LOCKED', 'UNLOCKED']);

/** Pauses for bad feedback, by the network's word for them. A third one disables the template. */
const pausesMs: Readonly<Record<string, number>> = { FIRST_PAUSE: 3 * 60 * 60_000, SECOND_PAUSE: 6 * 60 * 60_000 };

/** News with which a template is gone, or has another text: it is read anew. */
const readAnew = new Set(['DELETED', 'PENDING_DELETION', 'ARCHIVED']);

/**
 * The changes that a webhook brings to a template; undefined where it has to be read anew. A quality update may come
 * under the field of status updates, so that the content decides.
 * Source: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/message_template_status_update.
 */
function changeOf(field: string, value: Value): object | undefined {
  if (field === 'message_template_components_update' || readAnew.has(value.event ?? '')) return undefined;
  if (value.new_quality_score !== undefined) return { quality: templateQualityOf(value.new_quality_score) };
  if (field === 'template_category_update') {
    // A change that is announced for tomorrow names the present category as the new one.
    return value.previous_category === undefined ? {} : { category: templateCategoryOf(value.new_category) };
  }
  if (value.event === undefined || withoutStatus.has(value.event)) return {};
  const status = templateStatusOf(value.event);
  // The word with which a pause ended is no reason for anything.
  return { status, reason: status === 'approved' ? null : reasonOf(value) };
}

function reasonOf({ reason, other_info: info, rejection_info: rejection }: Value): string | null {
  const parts = [rejection?.reason, rejection?.recommendation, info?.description].filter(Boolean);
  return templateReasonOf(parts.length > 0 ? parts.join('. ') : reason);
}

export const isTemplateField = (field: string) => /^(message_)?template_/.test(field);

type Notice = {
  accountId: number;
  businessAccountId: string;
  field: string;
  value: unknown;
  /** Meta's own time of it, in whole seconds, where it says one. */
  at: Date | undefined;
  /** Meta told of the same template later. */
  isLate: boolean;
};

/**
 * Changes the template that a webhook is about. Where that is not known, or newer than the webhook, the templates of its
 * business account are due to be read: webhooks come in any order, and again.
 */
export async function followTemplateNotice(
  tx: Tx,
  { accountId, businessAccountId, field, value, at, isLate }: Notice,
): Promise<void> {
  const read = Value.catch({} as Value).parse(value);
  const change = changeOf(field, read);
  const { category, status, quality, reason } = { ...change } as Record<string, string | null | undefined>;
  const language = templateLanguageOf(read.message_template_language ?? '');
  const now = tx.clock.now();
  const pauseMs = status === 'paused' ? pausesMs[read.other_info?.title ?? ''] : undefined;
  const until = pauseMs === undefined ? null : new Date(now.getTime() + pauseMs);
  const { numAffectedRows } = await sql`
    update whatsapp_templates t
       set category = coalesce(${category ?? null}, t.category), status = coalesce(${status ?? null}, t.status),
           quality = coalesce(${quality ?? null}, t.quality),
           reason = case when ${status ?? null}::text is null then t.reason else ${reason ?? null} end,
           paused_until = case when ${status ?? null}::text is null then t.paused_until else ${until} end,
           updated_at = ${now}
     where t.account_id = ${accountId} and t.business_account_id = ${businessAccountId}
       and (t.network_id = ${read.message_template_id ?? ''}
            or (t.name = ${read.message_template_name ?? ''} and replace(t.language, '-', '_') = ${language}))
       and not ${isLate} and (${at ?? null}::timestamptz is null or t.synced_at <= ${at ?? null}::timestamptz + interval '1 second')
  `.execute(tx.db);
  const isChanged = (numAffectedRows ?? 0n) > 0n;
  if (isChanged) await publishLive(tx, accountId, { type: 'whatsapp_templates.changed' });
  if (change !== undefined && isChanged) return;
  await demandSync(tx, { accountId, businessAccountId });
}

/** The business account's templates are read as soon as a worker comes to it. */
async function demandSync(
  tx: Tx,
  { accountId, businessAccountId }: { accountId: number; businessAccountId: string },
): Promise<void> {
  await sql`
    insert into whatsapp_business_accounts (account_id, business_account_id, sync_due_at)
    values (${accountId}, ${businessAccountId}, ${tx.clock.now()})
    on conflict (account_id, business_account_id) do update set sync_due_at = excluded.sync_due_at
  `.execute(tx.db);
  await notify(tx.db, [{ channel: templateSyncChannel, payload: '' }]);
}
