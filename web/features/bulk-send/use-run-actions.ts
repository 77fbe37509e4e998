import { useEffect, useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import type { BulkSend, BulkSendState } from './run/bulk-send.ts';
import { pauseRun, resumeRun, startRun, stopRun, type RunEnd } from './run/run.ts';
import { sendableRows } from './run/selection.ts';
import type { Setup } from './run/setup.ts';
import { testFirst } from './run/test-first.ts';

const noAuthKey = 'Selected project has no auth key. Please connect WhatsApp for this project.';

type ActionsInput = { bulkSend: BulkSend; state: BulkSendState; projects: readonly Project[]; setup: Setup };

/** What the buttons do, and what is told of it. A run that a reload cut off goes on by itself. */
export function useRunActions({ bulkSend, state, projects, setup }: ActionsInput) {
  const [isTesting, setTesting] = useState(false);
  const authKeyOf = (projectId: number) => projects.find(({ id }) => id === projectId)?.auth_key || undefined;
  const runAuthKey = state.run && authKeyOf(state.run.projectId);
  const goesOn = state.run?.goesOn ?? false;

  useEffect(() => {
    if (goesOn && runAuthKey !== undefined) void tellEnd(resumeRun(bulkSend, runAuthKey));
  }, [bulkSend, goesOn, runAuthKey]);

  async function handleSend(): Promise<void> {
    const authKey = authKeyOf(Number(setup.projectId));
    if (authKey === undefined) return notify.error(noAuthKey);
    if (sendableRows(bulkSend).length === 0) return notify.error('No valid numbers to send');
    const { projectId, delay, message } = setup;
    await tellEnd(
      startRun(bulkSend, { projectId: Number(projectId), delayMs: Math.max(0, Number(delay) || 0), message, authKey }),
    );
  }

  async function handleTest(): Promise<void> {
    const projectId = Number(setup.projectId);
    const authKey = authKeyOf(projectId);
    if (authKey === undefined) return notify.error(noAuthKey);
    setTesting(true);
    const reason = await testFirst(bulkSend, { projectId, authKey, message: setup.message });
    setTesting(false);
    if (reason === undefined) notify.success('Test message sent successfully');
    else notify.error(`Test failed: ${reason}`);
  }

  return {
    isTesting,
    onSend: () => void handleSend(),
    onTest: () => void handleTest(),
    onPause: () => void pauseRun(bulkSend),
    onStop: () => void stopRun(bulkSend),
    onResume: () => {
      if (runAuthKey === undefined) notify.error(noAuthKey);
      else void tellEnd(resumeRun(bulkSend, runAuthKey));
    },
  };
}

async function tellEnd(ending: Promise<RunEnd | undefined>): Promise<void> {
  try {
    const end = await ending;
    if (end === undefined) return;
    const counts = `Sent: ${end.sent}, Failed: ${end.failed}`;
    if (end.status === 'completed') notify.success(`Completed. ${counts}`);
    if (end.status === 'stopped') notify.info(`Stopped. ${counts}`);
    if (end.reason !== undefined) {
      notify.error('An error occurred during sending');
      // The session or the subscription may have ended.
      await refreshCurrentUser();
    }
  } catch (error) {
    logFailure('The run broke off.', error);
    notify.error('An error occurred during sending');
  }
}
