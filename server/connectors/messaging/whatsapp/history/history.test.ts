import { proto } from 'baileys';
import { expect } from 'vitest';
import { startStandIn } from '#tests/whatsapp/client.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';
import { historyContact } from '#tests/whatsapp/history.ts';
import { TestPhone } from '#tests/whatsapp/test-phone.ts';
import { HistoryReader } from './findings.ts';

const large = { conversations: 2_000, messages: 10, textBytes: 2_500 };
const small = { conversations: 30, messages: 2, textBytes: 100 };

test("a history's addresses, tokens and expirations are kept, its messages are not", async ({ wa, linkPhone }) => {
  wa.faults.history = small;
  const { number, lid, token } = historyContact(29);
  wa.contact(number, { demandsToken: true }).tokensGiven.set(own, token);
  const phone = await linkPhone();
  await expect.poll(() => phone.store.keys.has(`tctoken/${lid}@lid`)).toBe(true);
  await expect.poll(() => phone.store.keys.has(`chat/${number}`)).toBe(true);
  expect(JSON.parse(phone.store.keys.get(`lid-mapping/${number}`) ?? '')).toBe(lid);

  expect((await phone.send(number, 'Hello')).kind).toBe('accepted');

  await expect.poll(() => wa.contact(number).arrivals.map(({ expiration }) => expiration)).toEqual([86_400]);
  expect(phone.incoming).toEqual([]);
});

test('a history of 50 MiB holds nobody up while phones link', async () => {
  await using standIn = await startProcess();
  const linked: TestPhone[] = [];
  const link = async (number: string) => {
    const phone = new TestPhone(standIn);
    linked.push(phone);
    const connected = phone.next('connected');
    const { payload } = await phone.next('qr');
    await standIn.control.scan(payload, number);
    await connected;
    return phone;
  };
  const lastOf = ({ store }: TestPhone) => store.keys.has(`chat/${historyContact(large.conversations - 1).number}`);
  // The first link also compiles the code; the second shows the usual longest turn, which is making keys.
  await link('5511900000010');
  const usualMs = await longestTurnMs(async () => void (await link('5511900000011')));

  await standIn.control.setFaults({ history: large });
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const withHistoryMs = await longestTurnMs(async () => {
    const phones = await Promise.all(['5511900000012', '5511900000013'].map(link));
    await expect.poll(() => phones.every(lastOf), { interval: 100 }).toBe(true);
  });
  clearInterval(sampling);
  await Promise.all(linked.map(({ session }) => session.close()));

  expect(withHistoryMs).toBeLessThan(usualMs * 3);
  expect((most - before) / 2 ** 20).toBeLessThan(200);
});

/** The most of the processor's time, in ms, that `work` takes without letting a timer have its turn. */
async function longestTurnMs(work: () => Promise<void>) {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  }, 5);
  await work();
  clearInterval(timer);
  return longest;
}

test('a number behind a LID is read from who confirmed a message', () => {
  const receipt = { userJid: '5511912345678@s.whatsapp.net' };
  const message = { key: { fromMe: true, remoteJid: '123@lid', id: 'A' }, userReceipt: [receipt] };
  const bytes = proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.RECENT,
    conversations: [{ id: '123@lid', messages: [{ message: { key: {}, userReceipt: [receipt] } }, { message }] }],
    phoneNumberToLidMappings: [{ pnJid: '5511900000000@s.whatsapp.net', lidJid: '456@lid' }],
  }).finish();

  // However it is cut.
  for (const size of [1, 7, bytes.length]) {
    const reader = new HistoryReader(undefined);
    const mappings = [];
    for (let at = 0; at < bytes.length; at += size)
      mappings.push(...reader.push(Buffer.from(bytes.subarray(at, at + size))).mappings);
    reader.end();
    expect(mappings).toEqual([
      { lid: '123@lid', pn: '5511912345678@s.whatsapp.net' },
      { lid: '456@lid', pn: '5511900000000@s.whatsapp.net' },
    ]);
  }
});

test('a history that cannot be read costs nothing else', async ({ wa, linkPhone }) => {
  wa.faults.history = small;
  wa.answerHttp = (_request, response) => void response.writeHead(200).end(Buffer.alloc(5_000, 3));
  const phone = await linkPhone();
  await expect.poll(() => phone.log.some((line) => line.includes('a history could not be read'))).toBe(true);
  expect((await phone.send('5511977771234', 'Hello')).kind).toBe('accepted');
});

async function startProcess() {
  const standIn = await startStandIn();
  return { ...standIn, [Symbol.asyncDispose]: standIn.stop };
}
