import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { PhoneNotice } from '#contracts/phone-numbers.ts';
import { fieldsOf } from '#server/connectors/messaging/cloud/loose-values.ts';
import { limitOfNotice, noticeWords, qualityOfNotice } from '#server/connectors/messaging/cloud/notice-words.ts';
import { restrictionsOf } from '#server/connectors/messaging/cloud/restrictions.ts';
import type { RestrictionNews } from '#server/connectors/messaging/cloud/restrictions.ts';
import type { CloudNews } from '#server/connectors/messaging/cloud/news.ts';
import { storableJson } from '#server/connectors/messaging/network-values.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { followTemplateNotice, isTemplateField } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { getPhone, holdBusinessAccount, saveDailyLimit, saveQuality } from '#server/modules/numbers/phones/index.ts';
import type { CloudNoticesTable } from './tables.ts';

type AccountNews = Extract<CloudNews, { kind: 'account' }>;

const dayMs = 24 * 60 * 60_000;
/** Meta repeats webhooks: where it names no time, the same words within this one are the same notice. */
const sameWithinMs = dayMs;
const laterAtMost = 100;
const keptMs = 180 * dayMs;
const removedAtOnce = 5_000;

/** Keeps what Meta said of a number, its account or a template, and what follows from it for limits. */
export async function takeNotice(
  ctx: Context,
  { accountId, phoneId, news }: { accountId: number; phoneId: number; news: AccountNews },
): Promise<void> {
  const at = news.at ?? ctx.clock.now();
  const sameSince = news.at ?? new Date(at.getTime() - sameWithinMs);
  const value = storableJson(news.value);
  await inTransaction(ctx, async (tx) => {
    await sql`
      insert into cloud_notices (account_id, phone_id, field, value, at)
      select ${accountId}, ${phoneId}, ${news.field}, ${value}::jsonb, ${at}
       where not exists (select from cloud_notices
                          where account_id = ${accountId} and phone_id = ${phoneId} and field = ${news.field}
                            and at between ${sameSince} and ${at} and value = ${value}::jsonb)
    `.execute(tx.db);
    const { field, accountId: businessAccountId } = news;
    const business = { accountId, businessAccountId };
    const later = await findLater(tx, { ...business, field, at });
    if (isTemplateField(field)) {
      const { value: said, at: saidAt } = news;
      const isLate = later.some((each) => templateIdOf(each) === templateIdOf(said));
      await followTemplateNotice(tx, { ...business, field, value: said, at: saidAt, isLate });
    }
    const restrictions = restrictionsOf(field, news.value);
    if (restrictions && !later.some((each) => isAboutSame(restrictionsOf(field, each), restrictions)))
      await holdBusinessAccount(tx, { ...business, ...restrictions });
    const limit = limitOfNotice(news.value);
    if (limit) await saveDailyLimit(tx, { ...business, at, ...limit });
    const quality = qualityOfNotice(field, news.value);
    if (quality) await saveQuality(tx, { ...business, phoneId, at, ...quality });
  });
}

const templateIdOf = (value: unknown) => String(fieldsOf(value)['message_template_id']);

const isAboutSame = (later: RestrictionNews | undefined, { sources }: RestrictionNews) =>
  later?.sources.some((source) => sources.includes(source)) === true;

type Said = { accountId: number; businessAccountId: string; field: string; at: Date };

/** The latest that Meta said of a field after this time: its webhooks come in any order, and again. */
async function findLater(tx: Tx, { accountId, businessAccountId, field, at }: Said): Promise<unknown[]> {
  const { rows } = await sql<{ value: unknown }>`
    select n.value from cloud_numbers c
      join cloud_notices n on n.account_id = c.account_id and n.phone_id = c.phone_id
     where c.account_id = ${accountId} and c.business_account_id = ${businessAccountId}
       and n.field = ${field} and n.at > ${at}
     order by n.at desc limit ${laterAtMost}
  `.execute(tx.db);
  return rows.map(({ value }) => value);
}

type Page = { phoneId: number; page: number; pageSize: number };

/** Meta's notices about a phone, newest first: also those that came by another phone of its business account. */
export async function listNotices(
  ctx: AccountContext,
  { phoneId, page, pageSize }: Page,
): Promise<{ data: PhoneNotice[]; total: number; page: number; pageSize: number }> {
  const { number } = await getPhone(ctx, phoneId);
  const said = sql`
    from cloud_numbers own
    join cloud_numbers other on other.account_id = own.account_id and other.business_account_id = own.business_account_id
    join cloud_notices n on n.account_id = other.account_id and n.phone_id = other.phone_id
   where own.account_id = ${ctx.account.id} and own.phone_id = ${phoneId}
     -- Some fields name one number of the account by its digits.
     and (n.value ->> 'display_phone_number' is null
          or regexp_replace(n.value ->> 'display_phone_number', '\\D', '', 'g') = ${number})`;
  const counted = await sql<{ total: number }>`select count(*)::int as total ${said}`.execute(ctx.db);
  const { rows } = await sql<Selectable<CloudNoticesTable>>`
    select n.* ${said} order by n.at desc, n.id desc limit ${pageSize} offset ${(page - 1) * pageSize}
  `.execute(ctx.db);
  return { data: rows.map(presentNotice), total: counted.rows[0]?.total ?? 0, page, pageSize };
}

function presentNotice({ id, at, field, value }: Selectable<CloudNoticesTable>): PhoneNotice {
  return { id, at: at.toISOString(), field, ...noticeWords(field, value) };
}

/** Forgets what Meta said half a year ago; what is left of many is for the next round. */
export async function removeOldNotices(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  await sql`
    delete from cloud_notices n
     -- account-wide: time alone decides, whosever they are.
     using (select account_id, phone_id, id from cloud_notices where at < ${before} limit ${removedAtOnce}) old
     where n.account_id = old.account_id and n.phone_id = old.phone_id and n.id = old.id
  `.execute(ctx.db);
}
