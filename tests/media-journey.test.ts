import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UploadedMedia } from '#contracts/media.ts';
import { listMessages, sendMessage } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { createCampaign } from '#contracts/campaigns.ts';
import { createProfile } from '#contracts/profiles.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import { createApiClient } from './support/api-client.ts';
import { makeSegment } from './support/audience.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { scanPhone } from './support/scan-phone.ts';
import { controlOf } from './whatsapp/control.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

let whatsApp: WhatsAppStandIn;
let app: TestApplication;

beforeAll(async () => {
  whatsApp = await WhatsAppStandIn.listen();
  app = await startTestApplication({ env: { WHATSAPP_SOCKET_URL: whatsApp.url } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
});

async function owner() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'https://example.com/hook');
  const headers = { 'x-auth-key': project.auth_key };
  const records = async () =>
    (await customer.api.call(listMessages, { params: { projectId: project.id }, query: { pageSize: 100 } })).body.data;
  return {
    customer,
    project,
    records,
    api: createApiClient(app.url, headers),
    incoming: async () => (await records()).filter(({ direction }) => direction === 'incoming'),
    download: async ({ media }: Message) =>
      Buffer.from(await (await fetch(`${app.url}/api/media/${media?.id}`, { headers })).arrayBuffer()),
    upload: async (bytes: Buffer) => {
      const body = new Uint8Array(bytes);
      const response = await fetch(`${app.url}/api/media`, { method: 'POST', headers, body });
      return (await response.json()) as UploadedMedia;
    },
    events: async () => {
      const rows = await app.ctx.db
        .selectFrom('webhook_records')
        .select('type')
        .where('project_id', '=', project.id)
        .orderBy('id')
        .execute();
      return rows.map(({ type }) => type);
    },
  };
}

test('a copy of a campaign with a file reaches the same contact, and the file is uploaded once', async () => {
  const { customer, project, upload, records } = await owner();
  const [own, contact] = ['5511900007778', '5511977770002'];
  await scanPhone(controlOf(whatsApp), customer.api, { projectId: project.id, phone_number: own });
  await expect.poll(() => whatsApp.isConnected(own)).toBe(true);
  // A contact who has written gets the next message within seconds; to others it is a first contact, at their pace.
  await whatsApp.incoming({ from: contact, to: own, text: 'Hello' });
  await customer.api.call(createProfile, { body: { phone: contact, name: 'Ada', custom_fields: { group: 'all' } } });
  const { id: segment_id } = await makeSegment(customer);
  const { id } = await upload(await picture());
  const { uploads } = whatsApp.media.counts;
  const body = { name: 'Spring', project_id: project.id, segment_id, message: 'For you', media: { id } };
  const arrived = () => whatsApp.contact(contact).arrivals.filter(({ message }) => message?.imageMessage).length;
  for (const [index, name] of ['Spring', 'Spring (copy)'].entries()) {
    await customer.api.call(createCampaign, { body: { ...body, name } });
    await expect.poll(arrived).toBe(index + 1);
  }
  const campaigns = (await records()).filter(({ campaign_id: campaignId }) => campaignId !== null);
  expect(campaigns.map(({ media }) => media?.has_thumbnail)).toEqual([true, true]);
  expect(whatsApp.media.counts.uploads - uploads).toBe(1);
});

/** How many files come that cannot be had. */
const flood = Number(process.env['MEDIA_FLOOD'] ?? 40);

const picture = () =>
  sharp({ create: { width: 30, height: 30, channels: 3, background: '#37c' } })
    .jpeg()
    .toBuffer();

test('a sandbox recipient ending in 0009 sends a picture back, which is stored', async () => {
  const { customer, project, api, incoming, download, events } = await owner();
  await connectSandboxPhone(customer, project.id);
  await api.call(sendMessage, { headers: {}, body: { to: '14155550009', message: 'Hello' } });
  await expect.poll(async () => (await incoming())[0]?.media?.state).toBe('stored');
  const [message] = await incoming();
  expect(message).toMatchObject({ type: 'image', media: { mime_type: 'image/png', has_thumbnail: true } });
  const stored = message && (await download(message));
  expect((await sharp(stored).metadata()).format).toBe('png');
  expect(await events()).toContain('message.media_stored');
});

test('files both ways over WhatsApp, byte for byte; 200 broken ones hold up none that is whole', async () => {
  const { customer, project, api, incoming, download, upload, events } = await owner();
  const [own, contact] = ['5511900007777', '5511977770001'];
  const { body: phone } = await customer.api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number: own, connector: 'whatsapp' },
  });
  const { body: link } = await customer.api.call(connectPhone, { params: { phoneId: phone.id } });
  await whatsApp.scan('qr_payload' in link ? link.qr_payload : '', own);
  await expect.poll(() => whatsApp.isConnected(own)).toBe(true);

  const bytes = await picture();
  await whatsApp.incomingMedia({ from: contact, to: own, bytes });
  await expect.poll(async () => (await incoming())[0]?.media?.state).toBe('stored');
  const [question] = await incoming();
  expect(question && (await download(question)).equals(bytes)).toBe(true);

  const answer = await picture();
  const { id } = await upload(answer);
  const body = { to: contact, type: 'image', media: { id }, message: 'Ours', reply_to: question?.id } as const;
  const { body: sent } = await api.call(sendMessage, { headers: {}, body });
  expect(sent).toMatchObject({ status: expect.stringMatching(/sent|delivered|read/) as string, type: 'image' });
  const arrived = whatsApp.contact(contact).arrivals.at(-1)?.message ?? {};
  expect(arrived).toMatchObject({ imageMessage: { caption: 'Ours' } });
  expect((await whatsApp.media.open(arrived)).equals(answer)).toBe(true);

  for (let index = 0; index < flood; index += 1) {
    const change = [
      { fileSha256: randomBytes(32) },
      { mediaKey: randomBytes(7) },
      { directPath: '/v/t62/none' },
      { fileLength: 2 ** 40 },
      { directPath: 'http://169.254.169.254/' },
    ][index % 5];
    await whatsApp.incomingMedia({ from: `55119666${10_000 + index}`, to: own, bytes, ...(change && { change }) });
  }
  await whatsApp.incomingMedia({ from: contact, to: own, bytes, id: 'WHOLE' });
  await expect
    .poll(
      async () =>
        (await incoming()).find(({ from, id: other }) => from === contact && other !== question?.id)?.media?.state,
    )
    .toBe('stored');
  await api.call(sendMessage, { headers: {}, body: { to: contact, message: 'Still here' } });
  expect((await events()).filter((type) => type === 'message.media_failed').length).toBeGreaterThan(flood / 4);
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
});
