import { randomBytes } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import type { SessionEvents } from '../port.ts';
import { createTimers } from './timers.ts';

/** What a recipient with this ending writes back. */
const answers: readonly (readonly [ending: string, text: string])[] = [
  ['0007', 'OK'],
  ['0008', 'STOP'],
];

const answerAfterMs = 300;
/** After an answer could not be stored. */
const retryMs = 5_000;

/** The recipients that write back, each some moments after it was written to. */
export function createAnswers(events: Pick<SessionEvents, 'onIncoming'>, clock: Clock) {
  const timers = createTimers();

  function answer(number: string, text: string, networkId: string): void {
    const message = { networkId, peer: { number }, isFromHandset: false, at: clock.now() };
    events.onIncoming({ ...message, content: { type: 'text', text } }).catch(() => {
      if (!isStopped) timers.after(retryMs, () => answer(number, text, networkId));
    });
  }

  let isStopped = false;
  return {
    /** For a message that has been taken on for this number. */
    schedule(number: string): void {
      const text = answers.find(([ending]) => number.endsWith(ending))?.[1];
      if (text === undefined) return;
      const networkId = `ANSWER${randomBytes(10).toString('hex').toUpperCase()}`;
      timers.after(answerAfterMs, () => answer(number, text, networkId));
    },
    stop(): void {
      isStopped = true;
      timers.stop();
    },
  };
}
