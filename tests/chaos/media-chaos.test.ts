import { createHash, randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { UploadedMedia } from '#contracts/media.ts';
import { listMessages, sendMessage } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { silenceSignalLibrary } from '#server/connectors/messaging/whatsapp/silence-signal-library.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { createRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { controlOf } from '#tests/whatsapp/control.ts';
import type { DownloadFault } from '#tests/whatsapp/media.ts';
import { WhatsAppStandIn } from '#tests/whatsapp/stand-in.ts';
import { makeChaosScene, undo } from './chaos-scene.ts';
import type { ChaosScene, CleanUp } from './chaos-scene.ts';
import { linkPhone } from './link-phone.ts';

/** `npm run chaos -- media` is the long way. */
const isLong = process.env['CHAOS_ROUNDS'] !== undefined;
const mebibytes = Number(process.env['MEDIA_MIB'] ?? (isLong ? 100 : 8));
const floods = Number(process.env['FLOODS'] ?? (isLong ? 200 : 3));
const seed = Number(process.env['SEED'] ?? 20_261_122);
const filesPerFlood = 10;

const [own, contact] = ['5511900007777', '5511977770001'];

const cleanUp: CleanUp = [];
let whatsApp: WhatsAppStandIn;
let scene: ChaosScene;
let product: Product;
let customer: Awaited<ReturnType<typeof signUpSubscriber>>;
let project: Awaited<ReturnType<typeof makeProject>>;

silenceSignalLibrary();

/** Not in a hook: what it waits for is polled for. */
async function begin(): Promise<void> {
  whatsApp = await WhatsAppStandIn.listen();
  cleanUp.push(() => whatsApp.close());
  scene = await makeChaosScene(cleanUp, whatsApp.url);
  product = await scene.start();
  customer = await signUpSubscriber(product.url);
  project = await makeProject(customer, 'https://example.com/hook');
  await linkPhone(controlOf(whatsApp), customer.api, { projectId: project.id, number: own });
}

afterAll(() => undo(cleanUp));

const key = () => ({ 'x-auth-key': project.auth_key });
const api = () => createApiClient(product.url, key());
const document = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes - 9)]);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function upload(bytes: Buffer): Promise<UploadedMedia> {
  const url = `${product.url}/api/media?file_name=a.pdf`;
  const response = await fetch(url, { method: 'POST', headers: key(), body: new Uint8Array(bytes) });
  expect(response.status).toBe(201);
  return (await response.json()) as UploadedMedia;
}

async function send(bytes: Buffer, prefer?: string): Promise<Message> {
  const { id } = await upload(bytes);
  const body = { to: contact, type: 'document', media: { id } } as const;
  const headers = prefer === undefined ? {} : { prefer };
  return (await api().call(sendMessage, { headers, body })).body;
}

/** The recorded message that a contact sent with this network id. */
async function received(networkId: string): Promise<Message | undefined> {
  const { rows } = await scene.database.pool.query<{ id: string }>('select id from messages where network_id = $1', [
    networkId,
  ]);
  const signedIn = createApiClient(product.url, { authorization: customer.token });
  const query = { pageSize: 100 } as const;
  const { data } = (await signedIn.call(listMessages, { params: { projectId: project.id }, query })).body;
  return data.find(({ id }) => id === Number(rows[0]?.id));
}

async function untilStored(networkId: string, bytes: Buffer, timeout: number): Promise<void> {
  await expect.poll(async () => (await received(networkId))?.media?.state, { timeout, interval: 200 }).toBe('stored');
  const { media } = (await received(networkId)) ?? {};
  const response = await fetch(`${product.url}/api/media/${media?.id}`, { headers: key() });
  expect(hashOf(Buffer.from(await response.arrayBuffer()))).toBe(hashOf(bytes));
}

/** The files that reached the contact, whole. */
const arrived = async () =>
  Promise.all(
    whatsApp.contact(contact).arrivals.map(async ({ message }) => hashOf(await whatsApp.media.open(message ?? {}))),
  );

/** The most that the process takes up from now until `stop`, MiB. */
function watchMemory() {
  let most = 0;
  const look = async () => {
    most = Math.max(most, await product.memoryMiB());
  };
  const timer = setInterval(() => void look().catch(() => undefined), 20);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

/**
 * Memory counts bytes that were read and are not collected yet: V8 lets some 64 MiB of them accumulate, whatever the
 * sizes.
 */
const filesEachWay = isLong ? 2 : 1;
const bound = isLong ? ', in less memory than one of them has' : '';

test(`${filesEachWay} of ${mebibytes} MiB out and as many in at once arrive whole${bound} (MEDIA_MIB)`, async () => {
  await begin();
  const bytes = document(mebibytes * 1024 * 1024);
  const both = async () => {
    const incoming = whatsApp.incomingMedia({ from: contact, to: own, bytes, type: 'document' });
    await Promise.all([send(bytes), untilStored(await incoming, bytes, 120_000)]);
  };
  // Compiled code, pools and uncollected memory are there after the first pair.
  await both();

  const before = await product.memoryMiB();
  const memory = watchMemory();
  await Promise.all(Array.from({ length: filesEachWay }, both));
  const most = memory.stop();
  const sent = 1 + filesEachWay;
  await expect.poll(() => whatsApp.contact(contact).arrivals.length).toBe(sent);
  expect(await arrived()).toEqual(Array.from({ length: sent }, () => hashOf(bytes)));
  if (isLong) expect(most - before).toBeLessThan(mebibytes);
}, 400_000);

test('kill -9 amid a download and an upload: the next process brings both, whole and once', async () => {
  const [incoming, outgoing] = [document(2_000_000), document(2_000_000)];
  const { counts, faults } = whatsApp.media;
  const [downloads, uploads, arrivals] = [
    counts.downloads,
    counts.begunUploads,
    whatsApp.contact(contact).texts.length,
  ];
  faults.download = 'stalled';
  faults.uploads = { 0: 'hang', 1: 'hang' };
  const id = await whatsApp.incomingMedia({ from: contact, to: own, bytes: incoming, type: 'document' });
  await send(outgoing, 'respond-async');
  await expect.poll(() => [counts.downloads > downloads, counts.begunUploads > uploads]).toEqual([true, true]);

  await product.kill();
  faults.download = undefined;
  faults.uploads = {};
  product = await scene.start();

  await untilStored(id, incoming, 30_000);
  await expect.poll(async () => (await arrived()).at(-1)).toBe(hashOf(outgoing));
  expect(whatsApp.contact(contact).texts).toHaveLength(arrivals + 1);
});

const flaws: readonly ((random: Random) => { change?: object; fault?: DownloadFault })[] = [
  () => ({ change: { fileSha256: randomBytes(32) } }),
  () => ({ change: { fileEncSha256: randomBytes(32) } }),
  (random) => ({ change: { mediaKey: randomBytes(random.below(40)) } }),
  () => ({ change: { mediaKey: randomBytes(32), fileEncSha256: null } }),
  () => ({ change: { directPath: '/v/t62/none' } }),
  () => ({ change: { directPath: 'http://169.254.169.254/' } }),
  () => ({ change: { directPath: '/'.repeat(5_000) } }),
  (random) => ({ change: { fileLength: random.pick([0, 1, 2 ** 40, 2 ** 60]) } }),
  (random) => ({
    change: { mimetype: random.pick(['\u0000', 'text/html', 'x'.repeat(9_999)]), fileSha256: randomBytes(3) },
  }),
  (random) => ({ fault: random.pick<DownloadFault>([403, 404, 410, 'changed', 'wrong_mac', 'endless']) }),
  // These may come yet, and are tried again later.
  (random) => ({ fault: random.pick<DownloadFault>([500, 'cut']) }),
];

test(`${floods} floods of broken files without a restart hold up none that is whole (FLOODS SEED=${seed})`, async () => {
  const random = createRandom(seed);
  const { pid } = product;
  whatsApp.media.faults.again = 'not_found';
  const bytes = document(20_000);
  for (let flood = 0; flood < floods; flood += 1) {
    for (let file = 0; file < filesPerFlood; file += 1) {
      const from = String(5_511_966_600_000 + random.below(500));
      const type = random.pick(['image', 'video', 'audio', 'document', 'sticker'] as const);
      await whatsApp.incomingMedia({ from, to: own, bytes, type, ...random.pick(flaws)(random) });
    }
    const whole = await whatsApp.incomingMedia({ from: contact, to: own, bytes, type: 'document' });
    if (flood % 10 === 0) await untilStored(whole, bytes, 60_000);
  }
  const last = await whatsApp.incomingMedia({ from: contact, to: own, bytes, type: 'document' });
  await untilStored(last, bytes, 120_000);
  await send(bytes);
  await expect.poll(async () => (await arrived()).at(-1)).toBe(hashOf(bytes));
  expect([product.hasExited(), product.pid]).toEqual([false, pid]);
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
}, 1_200_000);
