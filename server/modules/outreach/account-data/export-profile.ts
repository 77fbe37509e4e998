import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { numberForms } from '#contracts/understand-number.ts';
import type { AccountContext } from '#server/context.ts';
import { getProfileRow, phoneKey, presentProfiles } from '#server/modules/audience/profiles/index.ts';
import { contactKey, presentMessage } from '#server/modules/messaging/messages/index.ts';
import type { MessageRow } from '#server/modules/messaging/messages/index.ts';
import { inScope } from '#server/scope.ts';

const messagesPerRead = 200;

/** All that is known of a person, as the text of a JSON object that is read from the database as it is taken. Throws 404. */
export async function exportProfile(ctx: AccountContext, { profileId }: { profileId: number }): Promise<Readable> {
  const row = await getProfileRow(ctx, profileId);
  const [profile] = await presentProfiles(ctx, [row]);
  const keys = [...new Set(numberForms(row.phone).map(phoneKey))];
  const parts = {
    exported_at: ctx.clock.now().toISOString(),
    profile,
    opt_outs: await find(
      ctx,
      sql`
      select action, source, note, evidence, at from suppression_log
       where account_id = ${ctx.account.id} and phone_key = any(${keys}::text[]) order by id`,
    ),
    conversations: await find(
      ctx,
      sql`
      select id, project_id, contact_name, status, last_message_at from conversations
       where account_id = ${ctx.account.id} and ${inScope(ctx)} and contact_key = any(${keys}::text[]) order by id`,
    ),
    campaigns: await find(
      ctx,
      sql`
      select c.id, c.name, r.status, r.reason, r.changed_at from campaign_recipients r
        join campaigns c on c.account_id = r.account_id and c.id = r.campaign_id
       where r.account_id = ${ctx.account.id} and ${inScope(ctx, 'c.project_id')} and r.profile_id = ${profileId} order by c.id`,
    ),
    flows: await find(
      ctx,
      sql`
      select f.id, f.name, d.status, d.reason, d.sent_at, d.body as message from flow_deliveries d
        join flows f on f.account_id = d.account_id and f.id = d.flow_id
       where d.account_id = ${ctx.account.id} and ${inScope(ctx, 'f.project_id')} and d.profile_id = ${profileId} order by d.id`,
    ),
  };
  return Readable.from(textOf(ctx, { parts, keys }), { objectMode: false });
}

async function find({ db }: AccountContext, query: ReturnType<typeof sql>): Promise<unknown[]> {
  const { rows } = await query.execute(db);
  return rows;
}

async function* textOf(
  ctx: AccountContext,
  { parts, keys }: { parts: Record<string, unknown>; keys: readonly string[] },
): AsyncGenerator<string> {
  yield `${JSON.stringify(parts).slice(0, -1)},"messages":[`;
  let separator = '\n';
  for (let after = 0; ;) {
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
