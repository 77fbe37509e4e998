import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCampaign, deleteCampaign, getCampaign } from '#contracts/campaigns.ts';
import { createFlow, deleteFlow, getFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

test('with a campaign or a flow that is deleted, people leave the segments of its messages, without a sweep', async () => {
  const owner = await signUpSubscriber(app.url);
  const { api } = owner;
  const project = await makeProject(owner);
  await connectSandboxPhone(owner, project.id);
  await api.call(createProfile, { body: { phone: '14155550801', name: 'Ada' } });
  const moves = async (segmentId: number) => {
    const rows = await app.ctx.db
      .selectFrom('segment_moves')
      .select('state')
      .where('segment_id', '=', segmentId)
      .orderBy('id')
      .execute();
    return rows.map(({ state }) => state);
  };
  const expression = { field: 'name', op: 'exists' as const };
  const segment = async (of: 'campaign' | 'flow') => {
    const body = { name: of, expression: { message: { of }, state: 'sent' as const } };
    return (await api.call(createSegment, { body })).body.id;
  };
  const [ofCampaigns, ofFlows] = [await segment('campaign'), await segment('flow')];
  // Being found while a segment is built is not joining.
  const watches = async () =>
    (await app.ctx.db.selectFrom('audience_watches').select('is_built').execute()).map(({ is_built: is }) => is);
  await expect.poll(watches, { timeout: 60_000 }).toEqual([true, true]);
  const { body: campaign } = await api.call(createCampaign, {
    body: { name: 'Autumn', project_id: project.id, expression, message: 'Hi' },
  });
  const { body: flow } = await api.call(createFlow, {
    body: { name: 'Welcome', expression, action: { projectId: project.id, message: 'Hello' } },
  });
  await expect.poll(() => moves(ofCampaigns), { timeout: 60_000 }).toEqual(['joined']);
  await expect.poll(() => moves(ofFlows), { timeout: 60_000 }).toEqual(['joined']);
  // All that is told of them has been looked at: nothing else queues her any more.
  const isRead = async () => [
    (await api.call(getCampaign, { params: { campaignId: campaign.id } })).body.read_count,
    (await api.call(getFlow, { params: { flowId: flow.id } })).body.counts.read,
    (await app.ctx.db.selectFrom('profile_changes').select('id').execute()).length,
  ];
  await expect.poll(isRead, { timeout: 60_000 }).toEqual([1, 1, 0]);
  await api.call(deleteCampaign, { params: { campaignId: campaign.id } });
  await expect.poll(() => moves(ofCampaigns), { timeout: 60_000 }).toEqual(['joined', 'left']);
  await api.call(deleteFlow, { params: { flowId: flow.id } });
  await expect.poll(() => moves(ofFlows), { timeout: 60_000 }).toEqual(['joined', 'left']);
}, 120_000);
