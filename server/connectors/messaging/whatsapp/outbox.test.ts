import { expect, test } from 'vitest';
import { systemClock } from '#server/platform/clock.ts';
import { createLogger } from '#server/platform/logger.ts';
import { Outbox } from './outbox.ts';

const outbox = new Outbox({
  clock: systemClock,
  logger: createLogger('silent'),
  ackTimeoutMs: 1_000,
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

test.each([
  ['no device could be encrypted for, is tried again', boom('All encryptions failed'), 'unknown'],
  ['WhatsApp has trouble, is tried again', boom('internal-server-error', 500), 'unknown'],
  ['the keys of the contact are not valid, is refused', new Error('The signature is not valid'), 'refused'],
])('a message that fails as %s', async (_title, error, kind) => {
  const outcome = outbox.send(message, {
    isOpen: () => true,
    isProven: () => true,
    prepare: async () => ({ kind: 'lid', jid: '1@lid' }),
    findOther: async () => undefined,
    remember: async () => {},
    renewSession: async () => {},
    renewToken: async () => {},
    provide: async () => {},
    sendMessage: () => Promise.reject(error),
  });
  expect(await outcome).toMatchObject({ kind });
});
