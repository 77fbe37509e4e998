import { expect, onTestFinished, test } from 'vitest';
import { createPool } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { watchDatabase } from '#tests/bench/query-plans.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { findDueProjects, findNextDue } from './deferred/find-due.ts';
import { findProjectsWithUntried } from './deferred/take-back-held.ts';
import { claimMessages, findPhonesWithWaiting, returnUnsent } from './outbox.ts';
import { roomOfPhones } from './queued/room-of-phones.ts';
import { recoverMessages } from './recover-messages.ts';

test('waiting messages among many that were sent are found by the indexes of what is unsent', async () => {
  await using app = await startTestApplication({ env: { ROLES: 'api' } });
  const owner = createPool({ connectionString: app.ownerConnectionString, logger: createLogger('silent') });
  onTestFinished(() => owner.end());
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const { id: phoneId } = await connectSandboxPhone(customer, projectId);
  const put = (count: number, status: string, sentAt: string, phone: string) =>
    owner.query(
      `insert into messages (account_id, project_id, phone_id, direction, recipient, body, status, created_at, due_at,
                             network_id, sent_at)
       select $1, $2, ${phone}, 'outgoing', '14155550123', 'x', $3, now(), now(),
              case when ${sentAt} is not null then 'N' || i end, ${sentAt}
         from generate_series(1, $4::int) i`,
      [customer.id, projectId, status, count],
    );
  await put(10_000, 'read', 'now()', String(phoneId));
  await put(50, 'pending', 'null::timestamptz', String(phoneId));
  await put(50, 'deferred', 'null::timestamptz', 'null::bigint');
  const { rows } = await owner.query(
    `insert into phone_leases (account_id, phone_id, owner, token, expires_at)
     values ($1, $2, 'me', nextval('lease_token_seq'), now() + interval '1 hour') returning token`,
    [customer.id, phoneId],
  );
  await owner.query('vacuum analyze messages');
  const lease = { accountId: customer.id, phoneId, token: rows[0].token };

  const { rows: months } = await owner.query<{ name: string }>(
    `select tableoid::regclass as name from messages limit 1`,
  );
  const watched = watchDatabase(owner, ['messages', months[0]!.name]);
  const ctx = { ...app.ctx, db: watched.db };
  expect(await claimMessages(ctx, [{ lease, networkIds: ['A', 'B'] }])).toHaveLength(2);
  await returnUnsent(ctx, lease, []);
  await recoverMessages(ctx, lease, { resendIsHarmless: true });
  expect(await findPhonesWithWaiting(ctx, [lease])).toEqual({ waiting: [phoneId], claimedLate: [] });
  expect(await findNextDue(ctx, { accountId: customer.id, projectId })).toBeInstanceOf(Date);
  expect(await findDueProjects(ctx)).toHaveLength(1);
  await findProjectsWithUntried(ctx);
  await roomOfPhones(ctx, [{ id: phoneId, is_paced: false }]);

  const { rows: indexes } = await owner.query<{ part: string; whole: string }>(
    `select inhrelid::regclass as part, inhparent::regclass as whole from pg_inherits join pg_index on indexrelid = inhrelid
      where indrelid = $1::regclass`,
    [months[0]!.name],
  );
  const wholes = new Map(indexes.map(({ part, whole }) => [part, whole]));
  const used = (await watched.indexesUsed()).flatMap((name) => wholes.get(name) ?? (name === 'seq scan' ? name : []));
  expect(used.toSorted()).toEqual(['messages_pkey', 'messages_tried', 'messages_unsent', 'messages_without_phone']);
});
