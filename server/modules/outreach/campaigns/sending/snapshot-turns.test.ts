import { expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import { create, get, makeScene, until } from '#tests/support/campaign-scene.ts';
import { createCampaignRunner } from './campaign-runner.ts';

test.each([
  ['', undefined],
  [', in long slices', { profiles: 1_000, members: 25 }],
])(
  'the snapshot of one person is there before the large ones of four accounts that began before it%s',
  async (_name, long) => {
    await using app = await startTestApplication({ env: { ROLES: 'api' } });
    const large = [];
    for (let account = 0; account < 4; account += 1) large.push(await makeScene(app, 1_000, { hasPhone: false }));
    const single = await makeScene(app, 1, { hasPhone: false });
    const campaigns = [];
    for (const scene of large) {
      for (let number = 0; number < 2; number += 1) campaigns.push({ scene, campaign: await create(scene) });
    }
    const runner = createCampaignRunner(app.ctx, { first: 25, next: () => 25, ...(long && { long }) });
    await runner.start();
    try {
      const begun = `select from campaigns where snapshot_after is not null`;
      await expect.poll(async () => (await app.ctx.pool.query(begun)).rowCount).toBeGreaterThan(0);
      const campaign = await create(single);
      await until(single, campaign, { status: 'running', total_count: 1 });
      for (const { scene, campaign: other } of campaigns) expect((await get(scene, other)).status).toBe('creating');
      for (const { scene, campaign: other } of campaigns) {
        await until(scene, other, { status: 'running', total_count: 1_000 });
      }
    } finally {
      await runner.stop();
    }
  },
);
