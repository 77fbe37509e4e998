import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { startTestContext } from '#tests/support/project-fixture.ts';
import { addProject } from '#tests/support/project-fixture.ts';
import type { TestContext } from '#tests/support/project-fixture.ts';
import { removeExpiredRecords } from './remove-expired-records.ts';

const dayMs = 86_400_000;
let context: TestContext;
let ctx: Context;

beforeAll(async () => {
  context = await startTestContext();
  ({ ctx } = context);
});
afterAll(() => context.close());

/** Records of each day of the last so many; every other message of an age waits to be sent. */
async function account(keptDays: number | null, days: number, aDay = 1) {
  const { accountId, projectId } = await addProject(ctx, null);
  await ctx.db.updateTable('accounts').set({ messages_kept_days: keptDays }).where('id', '=', accountId).execute();
  await ctx.pool.query(
    `select ensure_month_partitions(t, (now() - interval '6 months')::date, 8) from unnest(array['messages', 'webhook_records']) t`,
  );
  await ctx.pool.query(
    `with each as (
       select now() - n * interval '1 day' as at, n * 1000 + k as nth
         from generate_series(0, $3::int - 1) n, generate_series(1, $4::int) k
     ), records as (
       insert into webhook_records (id, account_id, project_id, event_id, url, type, payload, status, created_at)
       select record_id_at(at) + nth % 4096, $1, $2, 'e' || nth, 'http://x', 'message.sent', '{}', 'success', at from each
     )
     insert into messages (id, account_id, project_id, direction, recipient, body, status, created_at)
     select record_id_at(at) + nth % 4096, $1, $2, 'outgoing', '14155550123', 'Hello',
            case when nth % 1000 = 2 then 'pending' else 'sent' end, at from each`,
    [accountId, projectId, days, aDay],
  );
  return accountId;
}

async function counts(accountId: number) {
  const { rows } = await ctx.pool.query<{ messages: number; waiting: number; webhooks: number }>(
    `select (select count(*)::int from messages where account_id = $1 and status <> 'pending') as messages,
            (select count(*)::int from messages where account_id = $1 and status = 'pending') as waiting,
            (select count(*)::int from webhook_records where account_id = $1) as webhooks`,
    [accountId],
  );
  return rows[0];
}

test('records older than the retention of their account go; waiting records and those of other accounts stay', async () => {
  const chosen = await account(30, 40, 2);
  const other = await account(null, 40);
  await removeExpiredRecords(ctx, { sliceRows: 3 });
  expect(await counts(chosen)).toEqual({ messages: 30, waiting: 40, webhooks: 60 });
  expect(await counts(other)).toEqual({ messages: 40, waiting: 0, webhooks: 40 });
});

test('a message that went out or was due later is as old as that, and so is its conversation', async () => {
  const accountId = await account(30, 0);
  const { rows: projects } = await ctx.pool.query<{ id: number }>('select id from projects where account_id = $1', [
    accountId,
  ]);
  // Accepted 40 days ago each; $2 and $3 are days since.
  const add = async (contact: string, [sent, due]: [sent: number | null, due: number | null]) => {
    await ctx.pool.query(
      `with message as (
         insert into messages (id, account_id, project_id, direction, recipient, body, status, error, created_at, sent_at, due_at)
         select record_id_at(now() - interval '40 days') + $5::int, $1, $6, 'outgoing', $4, 'Hello',
                case when $2::int is null then 'failed' else 'sent' end, case when $2::int is null then 'Refused' end,
                now() - interval '40 days', now() - $2::int * interval '1 day', now() - $3::int * interval '1 day'
         returning *
       )
       insert into conversations (account_id, project_id, contact_key, phone, last_message_id, last_message_at)
       select account_id, project_id, phone_key(recipient), recipient, id, created_at from message`,
      [accountId, sent, due, contact, Number(contact.slice(-2)), projects[0]?.id],
    );
  };
  await add('14155550101', [40, null]);
  await add('14155550102', [null, 31]);
  await add('14155550103', [1, null]);
  await add('14155550104', [null, 1]);
  await add('14155550105', [29, 31]);
  await removeExpiredRecords(ctx);
  const kept = async (column: string, table: string) =>
    (
      await ctx.pool.query(`select ${column} as number from ${table} where account_id = $1 order by 1`, [accountId])
    ).rows.map(({ number }) => number);
  const later = ['14155550103', '14155550104', '14155550105'];
  expect(await kept('recipient', 'messages')).toEqual(later);
  expect(await kept('phone', 'conversations')).toEqual(later);
});

test('an account with much to delete lets the others have their turn first', async () => {
  const large = await account(30, 130, 20);
  const small = await account(30, 33);
  context.putForward(dayMs);
  await removeExpiredRecords(ctx, { sliceRows: 10, roundMs: 250 });
  expect((await counts(small))?.messages).toBe(29);
  await removeExpiredRecords(ctx);
  expect((await counts(large))?.messages).toBe(29 * 19);
});
