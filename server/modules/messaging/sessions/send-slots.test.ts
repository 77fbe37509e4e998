import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { SendOutcome } from '#server/connectors/messaging/port.ts';
import type { ClaimedMessage } from '#server/modules/messaging/messages/index.ts';
import { createSendSlots } from './send-slots.ts';

const accepted: SendOutcome = { kind: 'accepted', at: new Date(0) };
const unanswered: SendOutcome = { kind: 'unknown', reason: 'No answer', isAttempted: true };
const heldBack: SendOutcome = { kind: 'held', code: 'account_restricted', reason: 'Locked', until: new Date(0) };
const ended: (() => void)[] = [];

afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** A phone with its network, and the tables that keep what came of each message once the test lets them. */
function makePhone() {
  const delivered: string[] = [];
  const answers = new Map<string, (outcome: SendOutcome) => void>();
  const stored: string[] = [];
  const stores = new Map<string, () => void>();
  let next = 0;
  const slots = createSendSlots({
    lease: { accountId: 1, phoneId: 1, token: 1 },
    connector: { concurrentSends: 10, createNetworkId: () => `id ${(next += 1)}` },
    isOpen: () => true,
    deliver: ({ networkId }) => {
      delivered.push(networkId);
      return new Promise((resolve) => answers.set(networkId, resolve));
    },
    settle: (networkId, { kind }) =>
      new Promise((resolve) => {
        stored.push(`${networkId}: ${kind}`);
        stores.set(networkId, resolve);
      }),
    onFree: () => undefined,
    onUncertain: () => undefined,
  });
  ended.push(slots.stop);
  const take = () => {
    const kept = slots.reserve();
    if (!kept) throw new Error('There is no room');
    return kept;
  };
  const answer = async (networkId: string, outcome: SendOutcome) => {
    answers.get(networkId)?.(outcome);
    await turn();
  };
  const keep = async (networkId: string) => {
    stores.get(networkId)?.();
    await turn();
  };
  return { slots, take, delivered, stored, answer, keep };
}

const to = (recipient: string, networkId: string): ClaimedMessage => ({
  accountId: 1,
  phoneId: 1,
  id: 1,
  networkId,
  to: recipient,
  content: { type: 'text', text: 'Hello' },
  quote: null,
});

test.each(['before', 'after'])(
  'a message that comes back is not passed by one that got its place earlier and goes %s it is stored as waiting',
  async (when) => {
    const { take, delivered, stored, answer, keep } = makePhone();
    const [first, second] = [take(), take()];
    first.send(to('ana', first.networkId));
    await answer(first.networkId, unanswered);
    if (when === 'after') await keep(first.networkId);
    second.send(to('ana', second.networkId));
    await turn();
    expect(delivered).toEqual([first.networkId]);
    expect(stored).toEqual([first, second].map(({ networkId }) => `${networkId}: unknown`));
  },
);

test('others may be written to meanwhile, and the same recipient by whoever looked later', async () => {
  const { slots, take, delivered, answer, keep } = makePhone();
  const [first, other] = [take(), take()];
  first.send(to('ana', first.networkId));
  await answer(first.networkId, unanswered);
  other.send(to('ben', other.networkId));
  await answer(other.networkId, accepted);
  await keep(first.networkId);
  await expect.poll(() => slots.claim()).toBeDefined();
  void slots.claim()?.send(to('ana', first.networkId));
  expect(delivered).toEqual([first.networkId, other.networkId, first.networkId]);
});

test('nothing is claimed until all that came back is stored, as only what is behind it would be found', async () => {
  const { slots, take, answer, keep } = makePhone();
  const [first, second] = [take(), take()];
  first.send(to('ana', first.networkId));
  second.send(to('ben', second.networkId));
  await answer(first.networkId, heldBack);
  await answer(second.networkId, heldBack);
  await keep(first.networkId);
  expect(slots.claim()).toBeUndefined();
  expect(slots.reserve()).toBeUndefined();
  await keep(second.networkId);
  expect(slots.claim()).toBeDefined();
});

test('a message that is accepted while a claim is under way goes behind those that were claimed', async () => {
  const { slots, take, delivered } = makePhone();
  const claiming = slots.claim();
  const kept = take();
  kept.send(to('ana', kept.networkId));
  await turn();
  expect(delivered).toEqual([]);
  void claiming?.send(to('ana', 'claimed'));
  claiming?.end(true);
  await turn();
  expect(delivered).toEqual(['claimed', kept.networkId]);
});

test('a message that waits for a claim is not sent either where one to its recipient comes back meanwhile', async () => {
  const { slots, take, delivered, stored, answer, keep } = makePhone();
  const first = take();
  first.send(to('ana', first.networkId));
  const claiming = slots.claim();
  const kept = take();
  kept.send(to('ana', kept.networkId));
  await answer(first.networkId, unanswered);
  await keep(first.networkId);
  claiming?.end(true);
  await turn();
  expect(delivered).toEqual([first.networkId]);
  expect(stored).toEqual([first, kept].map(({ networkId }) => `${networkId}: unknown`));
});

test('where nobody knows whether a claim took something, what was accepted meanwhile goes back', async () => {
  const { slots, take, delivered, stored } = makePhone();
  const claiming = slots.claim();
  const kept = take();
  kept.send(to('ana', kept.networkId));
  claiming?.end(false);
  await turn();
  expect(delivered).toEqual([]);
  expect(stored).toEqual([`${kept.networkId}: unknown`]);
});

test('a claim of queued messages keeps nobody waiting', async () => {
  const { slots, take, delivered } = makePhone();
  slots.claim('queued');
  const kept = take();
  kept.send(to('ana', kept.networkId));
  expect(delivered).toEqual([kept.networkId]);
});
