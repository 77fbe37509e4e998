import { expect, test } from 'vitest';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import { DatabaseUnavailableError } from '#server/platform/db/errors.ts';
import { createIncomingQueue } from './incoming-queue.ts';

const message = (networkId: string): IncomingMessage => ({
  networkId,
  peer: { number: '5511955551111' },
  isFromHandset: false,
  at: new Date(),
  content: { type: 'text', text: networkId },
});

const idsOf = (messages: readonly IncomingMessage[]) => messages.map(({ networkId }) => networkId);

function startQueue(refuse: (ids: readonly string[]) => unknown = () => undefined) {
  const asked: string[][] = [];
  const go = Promise.withResolvers<void>();
  const add = createIncomingQueue(async (messages) => {
    const ids = idsOf(messages);
    asked.push(ids);
    await go.promise;
    const error = refuse(ids);
    if (error) throw error;
    return ids;
  });
  return {
    asked,
    go: () => go.resolve(),
    addAll: (...ids: string[]) => Promise.allSettled(ids.map((id) => add(message(id)))),
  };
}

const turn = () => new Promise(setImmediate);

test('messages that come while others are stored are stored together, in their order', async () => {
  const { asked, go, addAll } = startQueue();
  const first = addAll('1');
  await turn();
  const others = addAll('2', '3', '4');
  go();
  await Promise.all([first, others]);
  expect(asked).toEqual([['1'], ['2', '3', '4']]);
});

test('a message that can never be stored stops none of those beside it', async () => {
  const { go, addAll } = startQueue((ids) => (ids.includes('2') ? new Error('refused') : undefined));
  go();
  const stored = await addAll('1', '2', '3');
  expect(stored.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('while the database is away, messages behind one that was not stored do not overtake it', async () => {
  const { asked, go, addAll } = startQueue(() => new DatabaseUnavailableError('away'));
  const first = addAll('1');
  await turn();
  const behind = addAll('2', '3');
  go();
  const settled = [...(await first), ...(await behind)];
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked).toEqual([['1']]);
});
