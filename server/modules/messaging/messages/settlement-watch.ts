import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
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
    /**
     * Called once the message is stored. Messages sent by this process get their news by the short way, and it is read
     * only where nothing came that way for a second.
     */
    stored(by: { isSentHere: boolean }): void;
    cancel(): void;
  };
  /** How many messages are awaited in this process. */
  awaitedCount(): number;
  close(): void;
};

/** News of a message that is not known to be stored waits for that: the first is that it was. */
type Awaited = {
  accountId: number;
  sentBy: 'unknown' | 'us' | 'others';
  hasNews: boolean;
  resolve(row: MessageRow): void;
};
/** A session that ends meanwhile, as its number was stopped, leaves what it sent to be settled by somebody else. */
const shortWayMs = 1_000;

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

  function followNews(messageId: number): void {
    const waiting = awaited.get(messageId);
    if (!waiting) return;
    if (waiting.sentBy === 'others') void look(messageId);
    else if (!waiting.hasNews) lookLater(messageId);
    waiting.hasNews = true;
  }

  function lookLater(messageId: number): void {
    setTimeout(() => {
      const waiting = awaited.get(messageId);
      if (waiting) waiting.hasNews = false;
      void look(messageId);
    }, shortWayMs).unref();
  }

  const ends = [
    handoverOf(ctx).onSettled((row) => {
      if (isAnswered(row)) awaited.get(row.id)?.resolve(row);
    }),
    subscribeLive(ctx, (event) => {
      if (event.type === 'messages.changed') for (const messageId of event.message_ids) followNews(messageId);
      if (event.type === 'resync') for (const messageId of awaited.keys()) void look(messageId);
    }),
  ];

  return {
    expect(accountId, messageId) {
      const { promise, resolve } = Promise.withResolvers<MessageRow>();
      const entry: Awaited = { accountId, sentBy: 'unknown', hasNews: false, resolve };
      awaited.set(messageId, entry);
      return {
        settled: promise,
        stored({ isSentHere }) {
          entry.sentBy = isSentHere ? 'us' : 'others';
          if (entry.hasNews && !isSentHere) void look(messageId);
        },
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
  const accountIds = readings.map(({ accountId }) => accountId);
  const { rows } = await sql<MessageRow>`
    /* prepared: read-settled */
    select m.*
      from unnest(${anyLength(accountIds, 'bigint')}, ${readings.map(({ messageId }) => messageId)}::bigint[])
           as x (account_id, id)
      join messages m on m.account_id = x.account_id and m.id = x.id
  `.execute(ctx.db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return readings.map(({ messageId }) => byId.get(messageId));
}
