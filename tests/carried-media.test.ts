import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBulkRun, getBulkRun, previewBulkRun, startBulkRun, updateBulkRun } from '#contracts/bulk-runs.ts';
import { cancelCampaign, createCampaign, previewCampaign, updateCampaign } from '#contracts/campaigns.ts';
import { createFlow, deleteFlow, previewFlow, updateFlow } from '#contracts/flows.ts';
import type { UploadedMedia } from '#contracts/media.ts';
import { listMessages } from '#contracts/messages.ts';
import { removeExpiredMedia } from '#server/modules/messaging/media/index.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { create, holdPhone, makeScene, releasePhone, until } from './support/campaign-scene.ts';
import type { Scene } from './support/campaign-scene.ts';
import { connectSandboxPhone } from './support/customer.ts';
import { addProfile, allSent, draft, makeFlow, makeFlowScene, run } from './support/flow-scene.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

type Owner = { customer: { token: string } };

async function upload({ customer }: Owner, bytes: Uint8Array, fileName = ''): Promise<UploadedMedia> {
  const response = await fetch(`${app.url}/api/media?file_name=${fileName}`, {
    method: 'POST',
    headers: { authorization: customer.token },
    body: new Uint8Array(bytes),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as UploadedMedia;
}

const uploadPdf = (owner: Owner) => upload(owner, Buffer.from('%PDF-1.7\n%%EOF\n'), 'a.pdf');
const uploadPicture = async (owner: Owner) =>
  upload(
    owner,
    await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c33' } })
      .png()
      .toBuffer(),
  );

/** Type, text and file of what went out. */
async function sentOf({ customer, projectId }: Pick<Scene, 'customer' | 'projectId'>) {
  const query = { pageSize: 100, direction: 'outgoing' } as const;
  const { body } = await customer.api.call(listMessages, { params: { projectId }, query });
  return body.data.map(({ type, message, media }) => [type, message, media?.file_name, media?.id]);
}

describe('a file goes with every message, the text as its caption:', () => {
  test('of a campaign', async () => {
    const scene = await makeScene(app, 2);
    const file = await uploadPdf(scene);
    const media = { id: file.id, file_name: 'Offer.pdf' };
    const campaign = await create(scene, { message: 'For you', media });
    const { size, sha256 } = file;
    const carried = { ...media, type: 'document', mime_type: 'application/pdf', size, sha256, has_thumbnail: false };
    expect(campaign.media).toEqual(carried);
    await until(scene, campaign, { status: 'completed', sent_count: 2 });
    const sent = ['document', 'For you', 'Offer.pdf', file.id];
    expect(await sentOf(scene)).toEqual([sent, sent]);
  });

  test('of a flow, and it may have no text', async () => {
    const on = await makeFlowScene(app);
    const { id } = await uploadPicture(on);
    await addProfile(on, 1);
    const action = { type: 'send_message', projectId: on.project.id, message: '', media: { id } };
    const flow = await makeFlow(on, { action });
    expect(flow.action).toMatchObject({ message: '', media: { id, type: 'image' } });
    await run(on, flow);
    await allSent(on, flow, 1);
    expect(await sentOf({ ...on, projectId: on.project.id })).toEqual([['image', '', null, id]]);
  });

  test('of a bulk run, and who would get too long a caption is skipped', async () => {
    const scene = await makeScene(app, 0);
    const { id } = await uploadPicture(scene);
    const rows = ['x'.repeat(1100), 'Ada'].map((name, index) => ({ to: `1415555010${index}`, fields: { name } }));
    const body = { project_id: scene.projectId, message: 'Hi {name}', delay_ms: 0, rows, media: { id } };
    const { body: bulkRun } = await scene.customer.api.call(createBulkRun, { body });
    const params = { runId: bulkRun.id };
    const { body: review } = await scene.customer.api.call(previewBulkRun, { params, body: {} });
    expect(review.media).toEqual(bulkRun.media);
    await scene.customer.api.call(startBulkRun, { params });
    const state = async () => (await scene.customer.api.call(getBulkRun, { params })).body;
    await expect.poll(state).toMatchObject({ status: 'completed', sent_count: 1, skipped_count: 1 });
    expect(await sentOf(scene)).toEqual([['image', 'Hi Ada', null, id]]);
  });
});

test('messages not sent yet get the file that a change to the campaign names', async () => {
  const scene = await makeScene(app, 2, { hasPhone: false });
  const phone = await connectSandboxPhone(scene.customer, scene.projectId);
  await holdPhone(app, phone.id);
  const [first, second] = [await uploadPdf(scene), await uploadPicture(scene)];
  const campaign = await create(scene, { message: 'Hello', media: { id: first.id } });
  await expect.poll(() => sentOf(scene)).toHaveLength(2);
  const params = { campaignId: campaign.id };
  const change = async (body: object) => (await scene.customer.api.call(updateCampaign, { params, body })).body;
  expect((await change({ name: 'Other' })).media).toMatchObject({ id: first.id });
  await change({ media: { id: second.id } });
  await releasePhone(app, phone.id);
  await until(scene, campaign, { status: 'completed', sent_count: 2 });
  const sent = ['image', 'Hello', null, second.id];
  expect(await sentOf(scene)).toEqual([sent, sent]);
  const { body } = await scene.customer.api.refuse(updateCampaign, { params, body: { media: null } });
  expect(body.code).toBe('campaign_finished');
});

test.each([
  ['without a name', ''],
  ['with a name', 'a.png'],
])('a picture %s may come back as it was answered', async (_case, fileName) => {
  const scene = await makeScene(app, 1);
  const { api } = scene.customer;
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  const { id } = await upload(scene, picture, fileName);
  const when = new Date(Date.now() + 86_400_000).toISOString();
  const campaign = await create(scene, { when, media: { id } });
  const on = { customer: scene.customer, project: { id: scene.projectId } } as Parameters<typeof draft>[0];
  const flow = await makeFlow(on, {
    action: { projectId: scene.projectId, message: 'Hi', media: { id } },
    active: false,
  });
  const body = { project_id: scene.projectId, message: 'Hi', media: { id } };
  const { body: bulkRun } = await api.call(createBulkRun, { body });
  const again = await Promise.all([
    api.call(updateCampaign, { params: { campaignId: campaign.id }, body: campaign }),
    api.call(updateFlow, { params: { flowId: flow.id }, body: flow as never }),
    api.call(updateBulkRun, { params: { runId: bulkRun.id }, body: bulkRun }),
  ]);
  const expected = { id, type: 'image', file_name: fileName || null };
  expect(again.map((answer) => answer.body)).toMatchObject([
    { media: expected },
    { action: { media: expected } },
    { media: expected },
  ]);
});

test('a file that cannot go so is refused, whatever is to carry it, new or changed', async () => {
  const [scene, stranger] = [await makeScene(app, 1), await makeFlowScene(app)];
  const { api } = scene.customer;
  const [pdf, foreign] = [await uploadPdf(scene), await uploadPdf(stranger)];
  const campaign = await create(scene, {
    when: new Date(Date.now() + 86_400_000).toISOString(),
    media: { id: pdf.id },
  });
  const on = { customer: scene.customer, project: { id: scene.projectId } } as Parameters<typeof draft>[0];
  const flow = await makeFlow(on);
  const { body: bulkRun } = await api.call(createBulkRun, { body: { project_id: scene.projectId, message: 'Hi' } });
  const refusals: [object, string][] = [
    [{ media: { id: 'media_none' } }, 'media.id'],
    [{ media: { id: foreign.id } }, 'media.id'],
    [{ media: { id: pdf.id, type: 'image' } }, 'media.id'],
    [{ media: { id: pdf.id, type: 'voice' } }, 'media.type'],
    [{ media: { id: pdf.id }, message: 'x'.repeat(1025) }, 'message'],
    [{ media: null, message: ' ' }, 'message'],
    [{ media: 'x' }, 'media'],
  ];
  for (const [change, path] of refusals) {
    const carrying = { message: 'Hi', ...change };
    const action = { type: 'send_message', projectId: scene.projectId, ...carrying } as never;
    const ofCampaign = { ...scene.body, ...carrying } as never;
    const ofRun = { project_id: scene.projectId, ...carrying } as never;
    const params = { campaignId: campaign.id, flowId: flow.id, runId: bulkRun.id };
    const answers = [
      await api.refuse(createCampaign, { body: ofCampaign }),
      await api.refuse(updateCampaign, { params, body: carrying }),
      await api.refuse(createBulkRun, { body: ofRun }),
      await api.refuse(updateBulkRun, { params, body: carrying }),
      await api.refuse(createFlow, { body: { ...draft(on), action } }),
      await api.refuse(updateFlow, { params, body: { action } }),
    ];
    const paths = answers.map(({ status, body }) => [status, body.errors?.map((error) => error.path)]);
    const [direct, nested] = [
      [422, [path]],
      [422, [`action.${path}`]],
    ];
    expect([change, paths]).toEqual([change, [direct, direct, direct, direct, nested, nested]]);
  }
  // A file stays where a change names none, and its caption stays short.
  const params = { campaignId: campaign.id };
  const { body: tooLong } = await api.refuse(updateCampaign, { params, body: { message: 'x'.repeat(1025) } });
  expect(tooLong.errors?.map(({ path }) => path)).toEqual(['message']);
});

test('a review shows the file, and refuses one that cannot go so', async () => {
  const scene = await makeScene(app, 1);
  const { api } = scene.customer;
  const { id } = await uploadPicture(scene);
  const conditions = [{ fieldPath: 'name', operator: 'exists' as const, value: '' }];
  for (const media of [{ id }, { id, type: 'video' as const }]) {
    const fine = !('type' in media);
    const ofCampaign = { body: { segment_id: scene.segmentId, media } };
    const ofFlow = { body: { conditions, media } };
    const answers = fine
      ? [await api.call(previewCampaign, ofCampaign), await api.call(previewFlow, ofFlow)]
      : [await api.refuse(previewCampaign, ofCampaign), await api.refuse(previewFlow, ofFlow)];
    const expected = fine ? { media: { id, type: 'image' } } : { errors: [{ path: 'media.id' }] };
    for (const { body } of answers) expect(body).toMatchObject(expected);
  }
});

test('a file whose time is over stays while something may send it, and goes once nothing does', async () => {
  const scene = await makeScene(app, 1, { hasPhone: false });
  const { api } = scene.customer;
  const files = [await uploadPdf(scene), await uploadPdf(scene), await uploadPdf(scene), await uploadPdf(scene)];
  const [ofCampaign, ofFlow, ofRun, unused] = files.map(({ id }) => ({ id }));
  const campaign = await create(scene, { media: ofCampaign });
  const on = { customer: scene.customer, project: { id: scene.projectId } } as Parameters<typeof draft>[0];
  const action = { type: 'send_message', projectId: scene.projectId, message: 'Hi', media: ofFlow };
  const flow = await makeFlow(on, { action });
  const rows = [{ to: '14155550123', fields: {} }];
  const body = { project_id: scene.projectId, message: 'Hi', media: ofRun, rows };
  const { body: bulkRun } = await api.call(createBulkRun, { body });
  const statesAfterRetention = async () => {
    await app.ctx.pool.query(
      `update media_files set expires_at = '2020-01-01' where account_id = $1 and state = 'stored'`,
      [scene.customer.id],
    );
    await removeExpiredMedia(app.ctx);
    const states = await Promise.all(
      files.map(({ id }) => fetch(`${app.url}/api/media/${id}`, { headers: { authorization: scene.customer.token } })),
    );
    return states.map(({ status }) => status);
  };
  await expect.poll(statesAfterRetention).toEqual([200, 200, 200, 410]);
  const { body: refused } = await api.refuse(createCampaign, { body: { ...scene.body, media: unused } });
  expect(refused.errors).toEqual([{ path: 'media.id', message: 'The file has been removed' }]);
  await api.call(cancelCampaign, { params: { campaignId: campaign.id } });
  await api.call(deleteFlow, { params: { flowId: flow.id } });
  await api.call(updateBulkRun, { params: { runId: bulkRun.id }, body: { media: null } });
  await expect.poll(statesAfterRetention).toEqual([410, 410, 410, 410]);
});
