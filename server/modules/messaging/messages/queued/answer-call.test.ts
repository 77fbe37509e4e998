import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMessages } from '#contracts/messages.ts';
import { getPhoneNumber, updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import { receiveMessage } from '#server/modules/messaging/messages/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const clock = createTestClock();
const caller = '14155550123';
const text = 'We cannot take calls here. Please write to us.';
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ clock });
});
afterAll(() => app[Symbol.asyncDispose]());

async function scene() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  const receiving = {
    accountId: customer.id,
    projectId: project.id,
    phoneId: phone.id,
    number: phone.phone_number ?? '',
  };
  const params = { phoneId: phone.id };
  let lastId = 0;
  return {
    customer,
    set: async (calls: { reject?: boolean; text?: string | null }) =>
      (await customer.api.call(updatePhoneNumber, { params, body: { calls } })).body.calls,
    shown: async () => (await customer.api.call(getPhoneNumber, { params })).body.calls,
    call: (
      outcome: 'rejected' | 'missed',
      { peer = { number: caller }, at = clock.now() }: { peer?: Peer; at?: Date } = {},
    ) =>
      receiveMessage(app.ctx, receiving, {
        networkId: `call-${(lastId += 1)}`,
        peer,
        isFromHandset: false,
        at,
        content: { type: 'call', text: '', call: { video: false, outcome, duration_s: null } },
      }),
    async sent() {
      const query = { direction: 'outgoing', pageSize: 100 } as const;
      const { body } = await customer.api.call(listMessages, { params: { projectId: project.id }, query });
      return body.data.map(({ to, from_lid, message, source }) => ({ to: to ?? from_lid, message, source }));
    },
  };
}

test('a caller who is rejected gets the text of the phone, once an hour at most', async () => {
  const { set, shown, call, sent } = await scene();
  expect(await shown()).toEqual({ reject: false, text: null });
  await call('rejected');
  expect(await set({ reject: true })).toEqual({ reject: true, text: null });
  await call('rejected');
  expect(await sent()).toEqual([]);
  expect(await set({ text })).toEqual({ reject: true, text });
  await call('missed');
  await call('rejected');
  await call('rejected');
  const answer = { to: caller, message: text, source: 'call' };
  expect(await sent()).toEqual([answer]);
  clock.advance(61 * 60_000);
  await Promise.all([call('rejected'), call('rejected')]);
  expect(await sent()).toEqual([answer, answer]);
  await call('rejected', { peer: { lid: '99887766554433' } });
  expect((await sent())[0]).toEqual({ ...answer, to: '99887766554433' });
});

test('an old call, and a caller who opted out, get no text', async () => {
  const { customer, set, call, sent } = await scene();
  await set({ reject: true, text });
  await call('rejected', { at: new Date(clock.now().getTime() - 3_600_000) });
  await customer.api.call(addSuppression, { body: { phone: caller } });
  const received = await call('rejected');
  expect(received).toMatchObject({ type: 'call', call: { outcome: 'rejected' } });
  expect(await sent()).toEqual([]);
});
