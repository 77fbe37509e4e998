import type { Context } from '#server/context.ts';
import { subscribeLive } from '#server/modules/live/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { MessageRow } from './present.ts';

/** Waits for messages to leave `pending`, whichever process sends them. */
export type SettlementWatch = {
  /** Register before the message is stored, so that no news of it is missed; `cancel` when it is no longer awaited. */
  expect(accountId: number, messageId: number): { settled: Promise<MessageRow>; cancel(): void };
  close(): void;
};

type Awaited = { accountId: number; resolve(row: MessageRow): void };
type Reading = { accountId: number; messageId: number };

const isSettled = (row: MessageRow) => row.status !== 'pending' && row.status !== 'sending';

export function createSettlementWatch(ctx: Context): SettlementWatch {
  const awaited = new Map<number, Awaited>();
  // Many messages settle together: their rows are read together.
  const readings = createBatcher<Reading, MessageRow | undefined>((items) => readMessages(ctx, items), {
    maxItems: 500,
  });

  async function look(messageId: number): Promise<void> {
    const waiting = awaited.get(messageId);
    if (!waiting) return;
    try {
      const row = await readings.add({ accountId: waiting.accountId, messageId });
      if (row && isSettled(row)) waiting.resolve(row);
    } catch (error) {
      // The caller's own time limit answers 202; the next change is read again.
      ctx.logger.error({ err: error }, 'could not read a settled message');
    }
  }

  const unsubscribe = subscribeLive(ctx.listener, (event) => {
    if (event.type === 'messages.changed') for (const messageId of event.message_ids) void look(messageId);
    if (event.type === 'resync') for (const messageId of awaited.keys()) void look(messageId);
  });

  return {
    expect(accountId, messageId) {
      const { promise, resolve } = Promise.withResolvers<MessageRow>();
      awaited.set(messageId, { accountId, resolve });
      return { settled: promise, cancel: () => void awaited.delete(messageId) };
    },
    close: unsubscribe,
  };
}

async function readMessages(ctx: Context, readings: readonly Reading[]): Promise<(MessageRow | undefined)[]> {
  const rows = await ctx.db
    .selectFrom('messages')
    .selectAll()
    .where(
      'account_id',
      'in',
      readings.map(({ accountId }) => accountId),
    )
    .where(
      'id',
      'in',
      readings.map(({ messageId }) => messageId),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return readings.map(({ messageId }) => byId.get(messageId));
}
