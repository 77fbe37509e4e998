import type { PhoneAnswer } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { answerQuestion, claimQuestions } from '#server/modules/numbers/asking/index.ts';
import type { ClaimedQuestion } from '#server/modules/numbers/asking/index.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Task } from '#server/platform/service.ts';
import type { PhoneSession } from './phone-session.ts';

/** Questions under way for one phone at once. */
const mostUnderWay = 16;

export type Answering = {
  /** Somebody asked a phone something. */
  request(): void;
  stop(): Promise<void>;
};

/** Asks the networks of the phones that this worker holds, while callers in any process wait for the answers. */
export function createAnswering(
  ctx: Context,
  { sessions, task }: { sessions: ReadonlyMap<number, PhoneSession>; task: Task },
): Answering {
  const underWay = new Map<number, Set<Promise<void>>>();
  let isStopped = false;

  const runner = createRunner(async () => {
    const phoneIds = [...sessions.keys()].filter((phoneId) => (underWay.get(phoneId)?.size ?? 0) < mostUnderWay);
    if (isStopped) return;
    for (const question of await claimQuestions(ctx, phoneIds)) start(question);
  }, task);

  function start(question: ClaimedQuestion): void {
    const ofPhone = underWay.get(question.phoneId) ?? new Set();
    const work = answer(question).finally(() => {
      ofPhone.delete(work);
      if (ofPhone.size === 0) underWay.delete(question.phoneId);
      if (!isStopped) runner.request();
    });
    underWay.set(question.phoneId, ofPhone.add(work));
  }

  async function answer(claimed: ClaimedQuestion): Promise<void> {
    try {
      const session = sessions.get(claimed.phoneId);
      await answerQuestion(ctx, claimed, (await session?.ask(claimed.question)) ?? silent);
    } catch (error) {
      ctx.logger.warn({ err: error, phoneId: claimed.phoneId }, 'a question to a phone got no answer');
    }
  }

  return {
    request: runner.request,
    async stop() {
      isStopped = true;
      await runner.stop();
      await Promise.all([...underWay.values()].flatMap((works) => [...works]));
    },
  };
}

const silent: PhoneAnswer = {
  kind: 'refused',
  code: 'phone_silent',
  reason: 'The phone is not connected any more. Try again in a minute.',
  until: null,
};
