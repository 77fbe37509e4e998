import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import { create, makeScene, until } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone } from '#tests/support/customer.ts';

test('three processes feed three campaigns of one project at once: everybody gets each once', async () => {
  const secretKey = randomBytes(32);
  await using first = await startTestApplication({ secretKey });
  const { connectionString } = first;
  await using others = new AsyncDisposableStack();
  others.use(await startTestApplication({ secretKey, connectionString }));
  others.use(await startTestApplication({ secretKey, connectionString, env: { ROLES: 'worker' } }));
  const own = await makeScene(first, 300);
  await connectSandboxPhone(own.customer, own.projectId);
  const campaigns = await Promise.all([1, 2, 3].map((number) => create(own, { name: `Campaign ${number}` })));
  await Promise.all(
    campaigns.map((each) => until(own, each, { status: 'completed', sent_count: 300, total_count: 300 })),
  );
  const { rows } = await first.ctx.pool.query(
    `select campaign_id, count(*) as messages, count(distinct profile_id) as profiles from messages
      where campaign_id is not null group by campaign_id order by campaign_id`,
  );
  const expected = campaigns.map(({ id }) => ({ campaign_id: id, messages: 300, profiles: 300 }));
  expect(rows).toEqual(expected.toSorted((a, b) => a.campaign_id - b.campaign_id));
  const { rows: ledger } = await first.ctx.pool.query(
    `select status, count(*) as recipients, count(distinct message_id) as messages from campaign_recipients group by status`,
  );
  expect(ledger).toEqual([{ status: 'sent', recipients: 900, messages: 900 }]);
});
