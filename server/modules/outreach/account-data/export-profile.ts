import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Permission } from '#contracts/permissions.ts';
import { numberForms } from '#contracts/understand-number.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { listEvents } from '#server/modules/audience/events/index.ts';
import { getProfileRow, phoneKey, presentProfiles } from '#server/modules/audience/profiles/index.ts';
import { contactKey, presentMessage } from '#server/modules/messaging/messages/index.ts';
import type { MessageRow } from '#server/modules/messaging/messages/index.ts';
import { inScope } from '#server/scope.ts';

const messagesPerRead = 200;
const eventsPerRead = 500;

/**
 * All that is known of a person, as the text of a JSON object that is read from the database as it is taken; a key has of
 * it what its scopes let it read. Throws 404.
 */
export async function exportProfile(ctx: AccountContext, { profileId }: { profileId: number }): Promise<Readable> {
  const row = await getProfileRow(ctx, profileId);
  const [profile] = await presentProfiles(ctx, [row]);
  const forms = numberForms(row.phone);
  const reads = (permission: Permission) => sql.lit(isPermitted(ctx.actor, permission));
  const [messages, campaigns] = [reads('messages:read'), reads('campaigns:read')];
  const keys = [...new Set(forms.map(phoneKey))];
  const parts = {
    exported_at: ctx.clock.now().toISOString(),
    profile,
    opt_outs: await find(
      ctx,
      sql`
      select action, source, note, case when ${messages} then evidence end as evidence, at from suppression_log
       where account_id = ${ctx.account.id} and phone_key = any(${keys}::text[]) order by id`,
    ),
    consents: await find(
      ctx,
      sql`
      select topic_id, topic_name, state, source, note, case when ${messages} then evidence end as evidence, at
        from topic_consent_log
       where account_id = ${ctx.account.id} and phone_key = any(${keys}::text[]) order by id`,
    ),
    conversations: await find(
      ctx,
      sql`
      select id, project_id, contact_name, status, last_message_at from conversations
       where ${messages} and account_id = ${ctx.account.id} and ${inScope(ctx)} and contact_key = any(${keys}::text[]) order by id`,
    ),
    notes: await find(
      ctx,
      sql`
      select n.conversation_id, n.author_name as author, n.text, n.created_at, n.edited_at
        from conversations c
        join conversation_notes n on n.account_id = c.account_id and n.conversation_id = c.id
       where ${messages} and c.account_id = ${ctx.account.id} and ${inScope(ctx, 'c.project_id')}
         and c.contact_key = any(${keys}::text[])
       order by n.id`,
    ),
    campaigns: await find(
      ctx,
      sql`
      select c.id, c.name, r.status, r.reason, r.changed_at from campaign_recipients r
        join campaigns c on c.account_id = r.account_id and c.id = r.campaign_id
       where ${campaigns} and r.account_id = ${ctx.account.id} and ${inScope(ctx, 'c.project_id')} and r.profile_id = ${profileId} order by c.id`,
    ),
    flows: await find(
      ctx,
      sql`
      select f.id, f.name, d.status, d.reason, d.sent_at, case when ${messages} then d.body end as message
        from flow_deliveries d
        join flows f on f.account_id = d.account_id and f.id = d.flow_id
       where ${campaigns} and d.account_id = ${ctx.account.id} and ${inScope(ctx, 'f.project_id')} and d.profile_id = ${profileId} order by d.id`,
    ),
    bulk_runs: await find(
      ctx,
      sql`
      select b.id, b.name, r.fields, r.status, r.reason, r.changed_at from bulk_runs b
        join bulk_run_rows r on r.account_id = b.account_id and r.bulk_run_id = b.id and r.phone = any(${forms}::text[])
       where ${campaigns} and b.account_id = ${ctx.account.id} and ${inScope(ctx, 'b.project_id')} order by b.id, r.row_number`,
    ),
  };
  return Readable.from(textOf(ctx, { parts, keys, profileId }), { objectMode: false });
}

async function find({ db }: AccountContext, query: ReturnType<typeof sql>): Promise<unknown[]> {
  const { rows } = await query.execute(db);
  return rows;
}

async function* textOf(
  ctx: AccountContext,
  { parts, keys, profileId }: { parts: Record<string, unknown>; keys: readonly string[]; profileId: number },
): AsyncGenerator<string> {
  yield `${JSON.stringify(parts).slice(0, -1)},"events":[`;
  let separator = '\n';
  for (let after: string | null | undefined; after !== null;) {
    const page = await listEvents(ctx, { profile_id: profileId, limit: eventsPerRead, ...(after && { after }) });
    for (const { profile_id: _id, profile_name: _name, phone: _phone, ...event } of page.data) {
      yield separator + JSON.stringify(event);
      separator = ',\n';
    }
    after = page.next_cursor;
  }
  yield '],"messages":[';
  separator = '\n';
  for (let after = 0; isPermitted(ctx.actor, 'messages:read');) {
    const rows = await readMessages(ctx, { keys, after });
    for (const row of rows) {
      yield separator + JSON.stringify(presentMessage(row));
      separator = ',\n';
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < messagesPerRead) break;
    after = last.id;
  }
  yield ']}\n';
}

async function readMessages(
  ctx: AccountContext,
  { keys, after }: { keys: readonly string[]; after: number },
): Promise<MessageRow[]> {
  const { db, account } = ctx;
  const { rows } = await sql<MessageRow>`
    select * from messages
     where account_id = ${account.id} and ${inScope(ctx)} and project_id in (select id from projects where account_id = ${account.id})
       and ${contactKey} = any(${keys}::text[]) and id > ${after}
     order by id limit ${messagesPerRead}
  `.execute(db);
  return rows;
}
