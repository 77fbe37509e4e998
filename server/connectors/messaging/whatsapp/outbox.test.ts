import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#server/platform/clock.ts';
import { createLogger } from '#server/platform/logger.ts';
import { Outbox } from './outbox.ts';
import type { Transport } from './outbox.ts';

const ackTimeoutMs = 1_000;
const outbox = new Outbox({
  clock: systemClock,
  logger: createLogger('silent'),
  ackTimeoutMs,
  events: { onReceipts: async () => {}, onSignal: async () => {} },
  askTimeLock: async () => undefined,
  noteCap: async () => {},
  proxyFailure: () => undefined,
});

/** As Baileys throws them. */
const boom = (text: string, data?: number) => Object.assign(new Error(text), { output: { statusCode: 500 }, data });

const message = {
  networkId: '3EB0',
  to: '5511977771234',
  content: { type: 'text', text: 'Hello' },
  quote: null,
} as const;

const transport: Transport = {
  isOpen: () => true,
  isProven: () => true,
  prepare: async () => ({ kind: 'lid', jid: '1@lid' }),
  findOther: async () => undefined,
  remember: async () => {},
  renewSession: async () => {},
  renewToken: async () => {},
  provide: async () => {},
  sendMessage: async () => {},
};

test.each([
  ['no device could be encrypted for, is tried again', boom('All encryptions failed'), 'unknown'],
  ['WhatsApp has trouble, is tried again', boom('internal-server-error', 500), 'unknown'],
  ['the keys of the contact are not valid, is refused', new Error('The signature is not valid'), 'refused'],
])('a message that fails as %s', async (_title, error, kind) => {
  const outcome = outbox.send(message, { ...transport, sendMessage: () => Promise.reject(error) });
  expect(await outcome).toMatchObject({ kind });
});

test("the server's answer is awaited from when the message is written, however long encrypting has waited its turn", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const encrypted = Promise.withResolvers<void>();
  const settled = vi.fn<(outcome: unknown) => void>();
  void outbox.send(message, { ...transport, sendMessage: () => encrypted.promise }).then(settled);
  await vi.advanceTimersByTimeAsync(5 * ackTimeoutMs);
  expect(settled).not.toHaveBeenCalled();
  encrypted.resolve();
  await vi.advanceTimersByTimeAsync(ackTimeoutMs - 1);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  const reason = 'WhatsApp did not confirm the message in time';
  expect(settled).toHaveBeenCalledWith({ kind: 'unknown', reason, isAttempted: true });
});
