import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseProfile } from '#contracts/account-data.ts';
import { listAuditEvents } from '#contracts/audit.ts';
import { createBulkRun, getBulkRun, startBulkRun } from '#contracts/bulk-runs.ts';
import { createCampaign, getCampaign } from '#contracts/campaigns.ts';
import { blockContact } from '#contracts/contacts.ts';
import { createNote } from '#contracts/conversation-notes.ts';
import { openConversation, updateConversation } from '#contracts/conversations.ts';
import { saveDraft } from '#contracts/drafts.ts';
import { track } from '#contracts/events.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { createProfile, getProfile, updateProfile, upsertProfile } from '#contracts/profiles.ts';
import { checkProfileImport, getProfileImport, runProfileImport } from '#contracts/profile-imports.ts';
import { createSegment } from '#contracts/segments.ts';
import { addSuppression, removeSuppression } from '#contracts/suppressions.ts';
import { createTopic, putNumberTopics } from '#contracts/topics.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { findTexts } from './support/tables-with.ts';

let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

const digits = '34613300177';
const written = '+34 613 300 177';
/** Each is of the person alone, and stands in another place. */
const planted = {
  number: digits,
  asWritten: written,
  firstName: 'Quintessa',
  laterName: 'Zuleika',
  email: 'zuleika.q@example.com',
  field: 'tabby named Wexford',
  text: 'Your parcel 7781 waits',
  answer: 'Bring it to Lantern Lane',
  note: 'Prefers the Quillon door',
  property: 'Marzipan tower',
  consent: 'Said it at the Ostrava fair',
  metadata: 'order-Vexillum',
  cell: 'Imported as Halcyon',
  row: 'Rowena of the list',
  file: 'letter for Ysolde',
};

async function upload(customer: Customer, path: string, body: string, contentType: string) {
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: customer.token, 'content-type': contentType },
    body,
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as { id: number };
}

/** By text, the tables and the files in which it stands. */
async function findAll(texts: readonly string[]): Promise<Record<string, readonly string[]>> {
  const tables = await findTexts(app.ctx.pool, texts);
  const directory = join(app.ctx.config.dataDir, 'media');
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map((path) => readFile(path, 'utf8')));
  const found = texts.map((text) => {
    const inFiles = contents.some((content) => content.includes(text)) ? ['a file'] : [];
    return [text, [...(tables.get(text) ?? []), ...inFiles]] as const;
  });
  return Object.fromEntries(found.filter(([, places]) => places.length > 0));
}

test('of an erased person nothing is left in any table or file, whatever happened with them; others stay', async () => {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  const phone = await connectSandboxPhone(customer, project.id);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  const { body: profile } = await api.call(createProfile, {
    body: { phone: written, name: planted.firstName, custom_fields: { pet: planted.field } },
  });
  await api.call(createProfile, { body: { phone: '+34613300178', name: planted.firstName, tags: ['neighbour'] } });
  const { body: namesake } = await api.call(updateProfile, {
    params: {
      profileId: (await api.call(createProfile, { body: { phone: '+34613300179', name: 'Namesake' } })).body.id,
    },
    body: { name: planted.firstName },
  });
  const ofPerson = { params: { profileId: profile.id } };
  await api.call(updateProfile, { ...ofPerson, body: { name: planted.laterName, email: planted.email } });
  const { id: mediaId } = (await upload(customer, '/api/media', `%PDF-1.7 ${planted.file}`, 'application/pdf')) as {
    id: unknown;
  };
  await byKey.call(sendMessage, {
    headers: { 'idempotency-key': 'parcel' },
    body: { to: written, message: planted.text, metadata: { order: planted.metadata } },
  });
  await byKey.call(sendMessage, {
    body: { to: written, type: 'document', media: { id: String(mediaId) }, file_name: `${planted.laterName}.pdf` },
  });
  await api.call(receiveSandboxMessage, {
    params: { phoneId: phone.id },
    body: { from: written, message: planted.answer },
  });
  const { body: conversation } = await api.call(openConversation, { body: { project_id: project.id, phone: written } });
  const ofConversation = { params: { conversationId: conversation.id } };
  await api.call(createNote, { ...ofConversation, body: { text: planted.note } });
  await api.call(updateConversation, { ...ofConversation, body: { assigned_to: customer.id } });
  await api.call(track, { body: { phone: written, event: 'Baked', properties: { what: planted.property } } });
  const { body: topic } = await api.call(createTopic, { body: { name: 'Offers' } });
  await api.call(putNumberTopics, {
    params: { phone: digits },
    body: { topics: [{ topic_id: topic.id, state: 'opted_in' }], text: planted.consent },
  });
  await api.call(saveDraft, {
    params: { kind: 'profile', key: String(profile.id) },
    body: { content: { name: planted.laterName, phone: written }, revision: null },
  });

  const file = await upload(customer, '/api/profiles/import', `phone,name\n${written},${planted.cell}\n`, 'text/csv');
  const ofImport = { params: { importId: file.id } };
  const importStatus = async () => (await api.call(getProfileImport, ofImport)).body.status;
  await api.call(checkProfileImport, { ...ofImport, body: { fields: ['phone', 'custom_fields.nick'] } });
  await expect.poll(importStatus).toBe('checked');
  await api.call(runProfileImport, { ...ofImport, body: {} });
  await expect.poll(importStatus).toBe('completed');

  const { body: run } = await api.call(createBulkRun, {
    body: {
      project_id: project.id,
      message: 'Hi {name}',
      delay_ms: 0,
      rows: [{ to: written, fields: { name: planted.row } }],
    },
  });
  const ofRun = { params: { runId: run.id } };
  await api.call(startBulkRun, ofRun);
  await expect.poll(async () => (await api.call(getBulkRun, ofRun)).body.status).toBe('completed');

  const { body: segment } = await api.call(createSegment, {
    body: { name: 'Named', condition: { fieldPath: 'name', operator: 'exists' } },
  });
  const { body: campaign } = await api.call(createCampaign, {
    body: { name: 'Hello', project_id: project.id, segment_id: segment.id, message: 'Hi all' },
  });
  const counts = async () => (await api.call(getCampaign, { params: { campaignId: campaign.id } })).body;
  await expect.poll(async () => (await counts()).sent_count).toBe(3);

  await api.call(addSuppression, { body: { phone: written, note: planted.consent } });
  await api.call(removeSuppression, { params: { phone: digits }, query: { reason: 'They asked for it' } });
  await api.call(addSuppression, { body: { phone: digits } });
  await api.call(blockContact, { params: { phone: digits } });
  // Receipts that are still to come would write of the person again.
  const underWay = `select count(*)::int as n from messages
    where account_id = $1 and direction = 'outgoing' and status not in ('read', 'failed')`;
  await expect.poll(async () => (await app.ctx.pool.query(underWay, [customer.id])).rows).toEqual([{ n: 0 }]);

  expect(Object.keys(await findAll(Object.values(planted))).toSorted()).toEqual(Object.values(planted).toSorted());
  expect((await api.call(eraseProfile, ofPerson)).status).toBe(204);
  // Two others go by the first name.
  expect(await findAll(Object.values(planted))).toEqual({ [planted.firstName]: ['audit_events', 'profiles'] });

  const { body: acts } = await api.call(listAuditEvents, { query: { limit: 100 } });
  const named = acts.data.filter(({ target }) => target.name === planted.firstName).map(({ target }) => target.id);
  expect(named).not.toContain(profile.id);
  expect(named).toContain(namesake.id);
  const ofErased = acts.data.filter(({ target }) => target.id === profile.id && target.type === 'profile');
  expect(ofErased.length).toBeGreaterThan(1);
  for (const { target } of ofErased) expect(target.name).toMatch(/^[0-9a-f]{16}$/);

  const { body: refusal } = await byKey.refuse(sendMessage, { body: { to: written, message: 'Again' } });
  expect(refusal.code).toBe('opted_out');
  expect(await counts()).toMatchObject({ sent_count: 3, total_count: 3 });
});

test('a profile that is made anew after an erasure is answered as opted out at once', async () => {
  const customer = await signUpSubscriber(app.url);
  const [made, upserted] = ['+34613300188', '+34613300189'];
  for (const phone of [made, upserted]) {
    const { body } = await customer.api.call(createProfile, { body: { phone } });
    await customer.api.call(eraseProfile, { params: { profileId: body.id } });
  }
  const answers = [
    await customer.api.call(createProfile, { body: { phone: made } }),
    await customer.api.call(upsertProfile, { body: { phone: upserted } }),
  ];
  for (const { status, body } of answers) {
    expect([status, body.opted_out, body.opted_out_at]).toEqual([201, true, expect.any(String)]);
    expect((await customer.api.call(getProfile, { params: { profileId: body.id } })).body).toEqual(body);
  }
});
