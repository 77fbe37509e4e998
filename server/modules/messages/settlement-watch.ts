import type { Context } from '#server/context.ts';
import { subscribeLive } from '#server/modules/live/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import { handoverOf } from './handover.ts';
import type { MessageRow } from './present.ts';

/** Waits for messages to leave `pending`, whichever process sends them. */
export type SettlementWatch = {
  /** Register before the message is stored, so that no news of it is missed; `cancel` when it is no longer awaited. */
  expect(
    accountId: number,
    messageId: number,
  ): {
    settled: Promise<MessageRow>;
    /** This process sends it: its news come by the short way. */
    sentHere(): void;
    cancel(): void;
  };
  /** How many messages are awaited in this process. */
  awaitedCount(): number;
  close(): void;
};

/** `isHere`: this process sends it, so that no news of it needs to be read. */
type Awaited = { accountId: number; isHere: boolean; resolve(row: MessageRow): void };
type Reading = { accountId: number; messageId: number };

/** Settled, or held back for a time that nobody waits for. */
const isAnswered = ({ status, retry_at }: MessageRow) =>
  (status !== 'pending' && status !== 'sending') || retry_at !== null;

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
      if (row && isAnswered(row)) waiting.resolve(row);
    } catch (error) {
      // The caller's own time limit answers 202; the next change is read again.
      ctx.logger.error({ err: error }, 'could not read a settled message');
    }
  }

  const ends = [
    handoverOf(ctx).onSettled((row) => {
      if (isAnswered(row)) awaited.get(row.id)?.resolve(row);
    }),
    subscribeLive(ctx.listener, (event) => {
      if (event.type === 'messages.changed')
        for (const messageId of event.message_ids) {
          if (!awaited.get(messageId)?.isHere) void look(messageId);
        }
      if (event.type === 'resync') for (const messageId of awaited.keys()) void look(messageId);
    }),
  ];

  return {
    expect(accountId, messageId) {
      const { promise, resolve } = Promise.withResolvers<MessageRow>();
      const entry: Awaited = { accountId, isHere: false, resolve };
      awaited.set(messageId, entry);
      return {
        settled: promise,
        sentHere: () => void (entry.isHere = true),
        cancel: () => void awaited.delete(messageId),
      };
    },
    awaitedCount: () => awaited.size,
    close() {
      for (const end of ends) end();
    },
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
