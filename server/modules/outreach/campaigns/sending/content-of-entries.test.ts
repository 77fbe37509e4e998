import { expect, test } from 'vitest';
import { inTransaction } from '#server/context.ts';
import { feedLedger, waitingCount } from '#server/modules/outreach/recipients/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { create, makeScene } from '#tests/support/campaign-scene.ts';
import { noRules } from '#server/modules/audience/topics/index.ts';
import { campaignLedger } from '../campaign-ledger.ts';
import { lockCampaign } from '../queries.ts';

test('entries of one source may differ in their text; an empty one is skipped with its reason', async () => {
  await using app = await startTestApplication();
  const own = await makeScene(app, 3);
  const account = { id: own.customer.id, timezone: 'UTC' };
  const { id: campaignId } = await create(own, { when: new Date(Date.now() + 86_400_000).toISOString() });
  await app.ctx.pool.query(
    `insert into campaign_recipients (account_id, campaign_id, profile_id, phone, status)
     select account_id, $2, id, phone, 'waiting' from profiles where account_id = $1`,
    [account.id, campaignId],
  );
  const { handled, texts } = await inTransaction(app.ctx, async (tx) => {
    const campaign = await lockCampaign(tx, { accountId: account.id, campaignId });
    if (!campaign) throw new Error('The campaign is gone');
    const { rows: waiting } = await app.ctx.pool.query<{ id: string }>(
      'select id from profiles where account_id = $1 order by id',
      [account.id],
    );
    const first = Number(waiting[0]?.id);
    const templates = ['Hello', 'Bonjour', ' '];
    const source = {
      account,
      sourceId: campaign.id,
      projectId: campaign.project_id,
      contentOf: ({ key }: { key: number }) => ({ template: templates[key - first] ?? '', media: null }),
      rules: noRules,
      waitingCount: waitingCount({ ...campaign, total_count: 3 }),
      queuedCount: 0,
      waiting: { waitingFor: null, waitingUntil: null },
    };
    const fed = await feedLedger(tx, campaignLedger, source, { most: 10, after: 0 });
    const messages = tx.db.selectFrom('messages').select('body').where('account_id', '=', account.id).orderBy('id');
    return { handled: fed.handled, texts: (await messages.execute()).map(({ body }) => body) };
  });
  expect(texts).toEqual(['Hello', 'Bonjour']);
  expect(handled.map(({ outcome }) => outcome)).toMatchObject([
    { kind: 'queued' },
    { kind: 'queued' },
    { kind: 'skipped', reason: 'empty_message' },
  ]);
});
