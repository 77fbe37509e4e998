import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelSubscription } from '#contracts/billing.ts';
import { createBulkRun, getBulkRunReport, startBulkRun } from '#contracts/bulk-runs.ts';
import { createCampaign, deleteCampaign, pauseCampaign } from '#contracts/campaigns.ts';
import { runProfileImport, uploadProfileImport } from '#contracts/profile-imports.ts';
import { deleteSegment } from '#contracts/segments.ts';
import { listEvents } from '#contracts/webhook-endpoints.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { insertProfiles, makeSegment } from './support/audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { startWebhookReceiver, verifyWebhook } from './webhook-receiver.ts';

let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

test('campaigns, imports and the subscription report their events by webhook, in one sequence without gaps', async () => {
  await using receiver = await startWebhookReceiver();
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer, receiver.url);
  const told = async (type: string) => {
    const found = () =>
      receiver.received
        .map((webhook) => verifyWebhook(project.webhook_secret, webhook))
        .find((payload) => payload.type === type);
    await expect.poll(found).toBeDefined();
    return found();
  };
  await insertProfiles(app.ctx.pool, customer.id, 2);
  const segment = await makeSegment(customer);
  const body = { name: 'Spring', project_id: project.id, segment_id: segment.id, message: 'Hello' };
  // No phone is there: it runs and waits.
  const { body: waiting } = await api.call(createCampaign, { body });
  const params = { campaignId: waiting.id };
  await expect
    .poll(() =>
      api.call(pauseCampaign, { params }).then(
        ({ status }) => status,
        () => 409,
      ),
    )
    .toBe(200);
  expect(await told('campaign.paused')).toMatchObject({ data: { id: waiting.id, status: 'paused', total_count: 2 } });
  await api.call(deleteCampaign, { params });

  await connectSandboxPhone(customer, project.id);
  const { body: sent } = await api.call(createCampaign, { body });
  expect(await told('campaign.completed')).toMatchObject({ data: { id: sent.id, status: 'completed', sent_count: 2 } });

  const { body: run } = await api.call(createBulkRun, {
    body: { project_id: project.id, message: 'Hi', delay_ms: 0, rows: [{ to: '14155550141' }] },
  });
  await api.call(startBulkRun, { params: { runId: run.id } });
  expect(await told('bulk_run.completed')).toMatchObject({ data: { id: run.id, status: 'completed', sent_count: 1 } });
  const report = () => api.call(getBulkRunReport, { params: { runId: run.id } }).then(({ body: found }) => found);
  await expect.poll(report).toMatchObject({ total: 1, sent: 1, delivered: 1, read: 1 });

  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { body: doomed } = await api.call(createCampaign, { body: { ...body, when: later } });
  await api.call(deleteSegment, { params: { segmentId: segment.id } });
  expect(await told('campaign.failed')).toMatchObject({
    data: { id: doomed.id, status: 'failed', error: 'The segment was deleted', segment_name: null },
  });

  const upload = await fetch(app.url + uploadProfileImport.path, {
    method: 'POST',
    headers: { authorization: customer.token, 'content-type': 'text/csv' },
    body: 'phone,name\n14155550133,Grace\nnonsense,Nobody\n',
  });
  const { id: importId } = (await upload.json()) as { id: number };
  await api.call(runProfileImport, { params: { importId }, body: { fields: ['phone', 'name'] } });
  const imported = await told('import.completed');
  expect(imported).toMatchObject({ data: { id: importId, status: 'completed', counts: { new: 1, invalid: 1 } } });
  expect(imported?.data).not.toHaveProperty('columns');

  await api.call(cancelSubscription);
  expect(await told('subscription.cancelled')).toMatchObject({ data: { status: 'cancelled' } });

  const { body: events } = await api.call(listEvents, { params: { projectId: project.id }, query: {} });
  const sequences = events.data.map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
});
