import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';
const rejected = { type: 'call', call: { video: false, outcome: 'rejected', duration_s: null } };

test('a call is rejected where its owner wants that, and told of once', async ({ wa, linkPhone }) => {
  const phone = await linkPhone({ rejectsCalls: true });
  wa.call({ from: customer, to: own, id: 'CALLID1', step: 'offer' });
  await expect.poll(() => phone.incoming).toMatchObject([{ peer: { number: customer }, content: rejected }]);
  wa.call({ from: customer, to: own, id: 'CALLID1', step: 'terminate', reason: 'rejected_elsewhere' });
  wa.call({ from: customer, to: own, id: 'CALLID2', step: 'offer', video: true });
  await expect.poll(() => phone.incoming).toHaveLength(2);
  expect(phone.incoming[1]).toMatchObject({ networkId: 'call-CALLID2', content: { call: { video: true } } });
  expect(wa.stats()).toMatchObject({ rejectedCalls: ['CALLID1', 'CALLID2'], wrongPresence: [] });
});

test('a caller who hides the number is rejected, too; a call that is over is not', async ({ wa, linkPhone }) => {
  const phone = await linkPhone({ rejectsCalls: true });
  wa.contact(customer, { hidesNumber: true });
  wa.call({ from: customer, to: own, id: 'CALLID1', step: 'offer', secondsAgo: 600 });
  wa.call({ from: customer, to: own, id: 'CALLID2', step: 'offer' });
  await expect
    .poll(() => phone.incoming.map(({ content }) => content))
    .toMatchObject([{ call: { outcome: 'missed' } }, rejected]);
  expect(wa.stats()).toMatchObject({ rejectedCalls: ['CALLID2'], wrongPresence: [] });
});

test('without that wish it rings on', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.call({ from: customer, to: own, id: 'CALLID1', step: 'offer' });
  wa.call({ from: customer, to: own, id: 'CALLID1', step: 'terminate', reason: 'timeout' });
  await expect.poll(() => phone.incoming).toMatchObject([{ content: { call: { outcome: 'missed' } } }]);
  expect(wa.stats().rejectedCalls).toEqual([]);
});
