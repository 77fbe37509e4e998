import { randomBytes } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import type { IncomingContent, SessionEvents } from '../port.ts';
import { pictureAnswer } from './picture.ts';
import { createTimers } from './timers.ts';

/** The replies that these recipients send. */
const answers: ReadonlyMap<string, IncomingContent> = new Map<string, IncomingContent>([
  ['14155550007', { type: 'text', text: 'OK' }],
  ['14155550008', { type: 'text', text: 'STOP' }],
  ['14155550009', pictureAnswer],
]);

const answerAfterMs = 300;
/** After an answer could not be stored. */
const retryMs = 5_000;

/** The recipients that write back, each some moments after it was written to. */
export function createAnswers(events: Pick<SessionEvents, 'onIncoming'>, clock: Clock) {
  const timers = createTimers();

  function answer(number: string, content: IncomingContent, networkId: string): void {
    const message = { networkId, peer: { number }, isFromHandset: false, at: clock.now() };
    events.onIncoming({ ...message, content }).catch(() => {
      if (!isStopped) timers.after(retryMs, () => answer(number, content, networkId));
    });
  }

  let isStopped = false;
  return {
    /** For a message that has been taken on for this number. */
    schedule(number: string): void {
      const content = answers.get(number);
      if (content === undefined) return;
      const networkId = `ANSWER${randomBytes(10).toString('hex').toUpperCase()}`;
      timers.after(answerAfterMs, () => answer(number, content, networkId));
    },
    stop(): void {
      isStopped = true;
      timers.stop();
    },
  };
}
