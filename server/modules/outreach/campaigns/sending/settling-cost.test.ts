import { Kysely, PostgresDialect } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '#server/database.ts';
import { settleMessages } from '#server/modules/messaging/messages/index.ts';
import { kyselyPool } from '#server/platform/db/kysely-pool.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { create, makeScene, until } from '#tests/support/campaign-scene.ts';

test('settling the messages of a campaign waits for no statement that nobody reads', async () => {
  await using app = await startTestApplication();
  const own = await makeScene(app, 3);
  const campaign = await create(own);
  await until(own, campaign, { status: 'completed', sent_count: 3 });
  // Nothing of them is on its way any more.
  const countRead = async () => {
    const { rows } = await app.ctx.pool.query(`select from messages where campaign_id = $1 and status = 'read'`, [
      campaign.id,
    ]);
    return rows.length;
  };
  await expect.poll(countRead).toBe(3);
  const { rows: messages } = await app.ctx.pool.query<{ phone_id: number; network_id: string }>(
    `with entries as (update campaign_recipients set status = 'queued' where campaign_id = $1)
     update messages set status = 'sending', sent_at = null, delivered_at = null, read_at = null
      where campaign_id = $1 returning phone_id, network_id`,
    [campaign.id],
  );
  const { connectionString } = app;
  const pool = createPool({ connectionString, logger: app.ctx.logger, maxConnections: 1 });
  const awaited: string[] = [];
  await using db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: kyselyPool(pool) }),
    log({ query: { sql } }) {
      const [, name = sql, unread] = /prepared: ([\w-]+)(, (?:unread|last))?/.exec(sql) ?? [];
      if (unread === undefined) awaited.push(name);
    },
  });
  const accountId = own.customer.id;
  const batch = messages.map(({ phone_id: phoneId, network_id: networkId }) => ({
    authority: { kind: 'webhook' as const, accountId, phoneId },
    networkId,
    news: { kind: 'outcome' as const, outcome: { kind: 'accepted' as const, at: new Date() } },
    resendIsHarmless: true,
  }));
  expect(await settleMessages({ ...app.ctx, db }, batch)).toHaveLength(3);
  expect(awaited).toEqual(['begin', 'lock-settled', 'settle-entries-campaign', 'commit']);
});
