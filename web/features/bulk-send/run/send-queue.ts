import { pause } from './pause.ts';
import type { RowAnswer } from './send-row.ts';

/** After so many rows refused for the same reason, which is none of theirs, the run asks its user. */
const maxBlocked = 10;

type QueueWork = {
  delayMs: number;
  signal: AbortSignal;
  send: (index: number) => Promise<RowAnswer>;
  settle: (index: number, answer: RowAnswer) => Promise<void>;
};

export type QueueEnd = { kind: 'done' } | { kind: 'aborted' } | { kind: 'halted'; reason: string };

/** One row after the other, with the delay between them. An abort lets the row under way end. */
export async function sendQueue(queue: Int32Array, { delayMs, signal, send, settle }: QueueWork): Promise<QueueEnd> {
  let blocked = 0;
  for (const [place, index] of queue.entries()) {
    if (place > 0) await pause(delayMs, signal);
    if (signal.aborted) return { kind: 'aborted' };
    const answer = await send(index);
    await settle(index, answer);
    if (answer.kind === 'unreachable')
      return signal.aborted ? { kind: 'aborted' } : { kind: 'halted', reason: answer.reason };
    blocked = answer.blocked === undefined ? 0 : blocked + 1;
    const isLast = place === queue.length - 1;
    if (answer.blocked !== undefined && blocked >= maxBlocked && !isLast) {
      return { kind: 'halted', reason: answer.blocked };
    }
  }
  return { kind: 'done' };
}
