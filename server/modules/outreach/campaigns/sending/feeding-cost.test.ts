import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { create, makeScene } from '#tests/support/campaign-scene.ts';
import { lockCampaign } from '../queries.ts';
import { feedCampaign } from './feed-campaign.ts';

const waiting = 20_000;

test('a ledger newer than its statistics is fed by its keys: few of its rows are read', async () => {
  await using app = await startTestApplication();
  const own = await makeScene(app, waiting);
  const accountId = own.customer.id;
  const { id: campaignId } = await create(own, { when: new Date(Date.now() + 86_400_000).toISOString() });
  const fill = (id: number, count: number) =>
    app.ctx.pool.query(
      `insert into campaign_recipients (account_id, campaign_id, profile_id, phone, status)
       select account_id, $2, id, phone, 'waiting' from profiles where account_id = $1 order by id limit $3`,
      [accountId, id, count],
    );
  await fill(campaignId + 1000, 5_000);
  await asOwner(app, 'analyze campaign_recipients');
  await fill(campaignId, waiting);
  const read = await inTransaction(app.ctx, async (tx) => {
    const rowsRead = async () => {
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
         where relname = 'campaign_recipients'`.execute(tx.db);
      return rows[0]?.read ?? 0;
    };
    const campaign = await lockCampaign(tx, { accountId, campaignId });
    if (!campaign) throw new Error('The campaign is gone');
    const before = await rowsRead();
    const running = { ...campaign, status: 'running' as const, total_count: waiting, spread_from: tx.clock.now() };
    const { step } = await feedCampaign(tx, running, { id: accountId, timezone: 'UTC' });
    expect(step.queued_count).toBeGreaterThan(0);
    return (await rowsRead()) - before;
  });
  expect(read).toBeLessThan(1_000);
});
