import { sql } from 'kysely';
import { connectorsThat } from '#contracts/connectors.ts';
import type { CloudFacts } from '#contracts/phone-numbers.ts';
import type { Context } from '#server/context.ts';
import { findOfficialCredentials } from './official-numbers.ts';

/** Webhooks of it arrive: one has come, or the callback is that of the operator's app. */
const isHeard = sql<boolean>`(seen_at is not null or operator_app_id is not null)`;

type PhoneOfAccount = { accountId: number; phoneId: number };

/** Keeps what Meta says of a number as it connects or is tested. */
export async function saveNumberFacts(
  ctx: Context,
  { accountId, phoneId, facts }: PhoneOfAccount & { facts: CloudFacts },
): Promise<void> {
  const { rows } = await sql<{ is_asked: boolean; is_heard: boolean }>`
    update cloud_numbers set facts = ${JSON.stringify(facts)}, facts_at = ${ctx.clock.now()}
     where account_id = ${accountId} and phone_id = ${phoneId}
    returning shared_asked_at is not null as is_asked, ${isHeard} as is_heard
  `.execute(ctx.db);
  const [saved] = rows;
  if (saved?.is_heard && facts.is_shared && !saved.is_asked) void askForShared(ctx, { accountId, phoneId });
}

/** A webhook came for the number. */
export async function noteWebhook(ctx: Context, { accountId, phoneId }: PhoneOfAccount): Promise<void> {
  const { rows } = await sql<{ is_first: boolean; is_shared: boolean }>`
    /* prepared: note-webhook */
    with before as (
      select seen_at from cloud_numbers where account_id = ${accountId} and phone_id = ${phoneId} for update
    )
    update cloud_numbers c set seen_at = ${ctx.clock.now()}
      from before where c.account_id = ${accountId} and c.phone_id = ${phoneId}
    returning before.seen_at is null as is_first, coalesce((c.facts ->> 'is_shared')::boolean, false) as is_shared
  `.execute(ctx.db);
  const [noted] = rows;
  if (noted?.is_first && noted.is_shared) void askForShared(ctx, { accountId, phoneId });
}

/**
 * Asked for once webhooks of a number arrive: Meta hands its address book and its chats over once, and they would be lost
 * while nothing is called. Never rejects: whoever noted the number goes on meanwhile.
 */
async function askForShared(ctx: Context, owned: PhoneOfAccount): Promise<void> {
  try {
    await requestShared(ctx, owned);
  } catch (error) {
    ctx.logger.warn({ err: error, ...owned }, 'what the Business app holds was not asked for');
  }
}

async function requestShared(ctx: Context, owned: PhoneOfAccount): Promise<void> {
  const [name] = connectorsThat(({ link }) => link === 'credentials');
  const credentials = await findOfficialCredentials(ctx, owned);
  const ask = name && ctx.connectors[name].requestShared;
  if (credentials === undefined || !ask) return;
  const failures = await ask({ credentials });
  if (failures.length > 0) {
    ctx.logger.warn({ ...owned, failures }, 'Meta does not hand over what the Business app holds');
    return;
  }
  await ctx.db
    .updateTable('cloud_numbers')
    .set({ shared_asked_at: ctx.clock.now() })
    .where('account_id', '=', owned.accountId)
    .where('phone_id', '=', owned.phoneId)
    .execute();
}

/** Meta hands over what is asked for within 24 hours. */
const askedForMs = 25 * 60 * 60_000;
const askedAtOnce = 50;

/** Asks again for what Meta did not take, or a process that ended did not ask for. In any order, so that none waits for ever. */
export async function askAgainForShared(ctx: Context): Promise<void> {
  const { rows } = await sql<{ account_id: number; phone_id: number }>`
    -- account-wide: each is asked for with the credentials of its own number.
    select account_id, phone_id from cloud_numbers
     where shared_asked_at is null and ${isHeard} and (facts ->> 'is_shared')::boolean
       and facts_at > ${new Date(ctx.clock.now().getTime() - askedForMs)}
     order by random() limit ${askedAtOnce}
  `.execute(ctx.db);
  await Promise.all(
    rows.map(({ account_id: accountId, phone_id: phoneId }) => askForShared(ctx, { accountId, phoneId })),
  );
}
