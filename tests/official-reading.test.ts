import { expect, test, vi } from 'vitest';
import { listConversations, updateConversation } from '#contracts/conversations.ts';
import { updateProject } from '#contracts/projects.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { officialScene } from './support/official-scene.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

test('people are told that they were read, and a message that Meta no longer knows is not told of for ever', async () => {
  const scene = await officialScene(app, meta);
  const { api, project, customer } = scene;
  await api.call(updateProject, { params: { projectId: project.id }, body: { read_receipts: true } });
  const people = ['4915110007001', '4915110007002', '4915110007003', '4915110007004'];
  const ids = people.map((from) => meta.receiveText(from, 'Hello'));
  const conversations = () => api.call(listConversations, { query: { project_id: project.id } });
  await expect.poll(async () => (await conversations()).body.data.length, patience).toBe(4);
  for (const id of ids.slice(0, 3)) meta.forgotten.add(id);
  const { data } = (await conversations()).body;
  for (const phone of people) {
    const conversationId = data.find((one) => one.phone === phone)?.id ?? 0;
    await api.call(updateConversation, { params: { conversationId }, body: { read: true } });
  }
  await expect.poll(() => meta.read, patience).toEqual(ids.slice(3));
  await vi.waitFor(async () => {
    const { rows } = await app.ctx.pool.query('select 1 from read_receipts where account_id = $1', [customer.id]);
    expect(rows).toEqual([]);
  }, patience);
});
