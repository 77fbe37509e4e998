import { useEffect, useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import { ApiError, errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { useReview } from '#web/shared/review/use-review.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import type { BulkSend, BulkSendState } from './run/bulk-send.ts';
import { changeRun, startRun } from './run/run.ts';
import { sendableRows } from './run/selection.ts';
import type { Setup } from './run/setup.ts';
import { testFirst } from './run/test-first.ts';
import { watchRun, type RunEnd } from './run/watch-run.ts';

const noAuthKey = 'Selected project has no auth key. Please connect WhatsApp for this project.';
const brokeOff = 'An error occurred during sending';

type ActionsInput = { bulkSend: BulkSend; state: BulkSendState; projects: readonly Project[]; setup: Setup };

/** The actions of the buttons, with their toasts. A run that goes on is shown again after a reload. */
export function useRunActions({ bulkSend, state, projects, setup }: ActionsInput) {
  const [isTesting, setTesting] = useState(false);
  const project = projects.find(({ id }) => id === Number(setup.projectId));
  // Null is a key that the role does not see: then the session sends.
  const sender = project?.auth_key === '' ? undefined : project;
  const review = useReview();

  useEffect(() => {
    const stored = bulkSend.takeStoredRun();
    if (stored !== undefined) void announceEnd(watchRun(bulkSend, stored));
  }, [bulkSend]);

  async function handleSend(): Promise<void> {
    if (sender === undefined) return notify.error(noAuthKey);
    if (sendableRows(bulkSend).length === 0) return notify.error('No valid numbers to send');
    const { projectId, delay, ...content } = setup;
    const settings = { projectId: Number(projectId), delayMs: Math.max(0, Number(delay) || 0), ...content };
    await announceEnd(
      startRun(bulkSend, settings, async (ask, count) => {
        const answer = await review.ask({ title: state.upload?.fileName ?? 'this file', count, ask, sender });
        return answer === 'send';
      }),
    );
  }

  async function handleTest(): Promise<void> {
    if (sender === undefined) return notify.error(noAuthKey);
    setTesting(true);
    const reason = await testFirst(bulkSend, { ...setup, sender });
    setTesting(false);
    if (reason === undefined) notify.success('Test message sent successfully');
    else notify.error(`Test failed: ${reason}`);
  }

  const change = (kind: Parameters<typeof changeRun>[1]) => () =>
    void changeRun(bulkSend, kind).catch((error: unknown) => notify.error(errorText(error, brokeOff)));

  return {
    isTesting,
    question: review.question,
    onSend: () => void handleSend(),
    onTest: () => void handleTest(),
    onPause: change('pause'),
    onResume: change('resume'),
    onStop: change('stop'),
  };
}

async function announceEnd(ending: Promise<RunEnd | undefined>): Promise<void> {
  try {
    const end = await ending;
    if (end === undefined) return;
    const counts = `Sent: ${end.sent}, Failed: ${end.failed}`;
    if (end.status === 'completed') notify.success(`Completed. ${counts}`);
    else notify.info(`Stopped. ${counts}`);
  } catch (error) {
    logFailure('The run broke off.', error);
    notify.error(
      error instanceof ApiError && error.code !== 'unexpected_answer' ? errorText(error, brokeOff) : brokeOff,
    );
    // The session or the subscription may have ended.
    await refreshCurrentUser();
  }
}
