import { fillMessage } from '../fill-message.ts';
import { withEntry, withoutEntry, withoutMember } from './changed-copies.ts';
import { isOpenRun, keep, type BulkSend } from './bulk-send.ts';
import { isKeyForgotten, unknownOutcome, type Run } from './restore-run.ts';
import type { RunPlan, RunProgress, RunStatus } from './run-storage.ts';
import type { RunSettings } from './setup.ts';
import { deselectInvalid, sendableRows } from './selection.ts';
import { sendQueue } from './send-queue.ts';
import { sendRow, type RowAnswer, type RowMessage } from './send-row.ts';

/** How a run ended or came to a halt; `reason` when it halted by itself. */
export type RunEnd = { status: RunStatus; sent: number; failed: number; reason?: string | undefined };

type StartRun = RunSettings & { authKey: string };

/** Sends to the selected rows that can be sent to, those that failed before included; invalid ones are unselected. */
export async function startRun(bulkSend: BulkSend, input: StartRun): Promise<RunEnd | undefined> {
  const { authKey, ...settings } = input;
  await bulkSend.working;
  if (bulkSend.getState().run?.status === 'running') return undefined;
  await giveUpForgottenRow(bulkSend);
  deselectInvalid(bulkSend);
  const plan: RunPlan = { ...settings, queue: sendableRows(bulkSend) };
  const outcomes = new Map(bulkSend.getState().outcomes);
  const retried = plan.queue.filter((index) => outcomes.delete(index));
  const pace = { since: Date.now(), done: 0 };
  const signal = renewHalt(bulkSend);
  bulkSend.change({ outcomes, run: { ...plan, status: 'running', sent: 0, failed: 0, goesOn: false, pace } });
  await keep(bulkSend.storage.saveRun(plan, progressOf(bulkSend), retried));
  return work(bulkSend, { authKey, signal });
}

export async function resumeRun(bulkSend: BulkSend, authKey: string): Promise<RunEnd | undefined> {
  if (bulkSend.getState().run?.status !== 'paused') return undefined;
  await giveUpForgottenRow(bulkSend);
  const { run } = bulkSend.getState();
  if (run?.status !== 'paused') return undefined;
  const signal = renewHalt(bulkSend);
  changeRun(bulkSend, { pace: { since: Date.now(), done: run.sent + run.failed } });
  await setStatus(bulkSend, 'running');
  return work(bulkSend, { authKey, signal });
}

/** The row under way ends first. */
export async function pauseRun(bulkSend: BulkSend): Promise<void> {
  bulkSend.halt.abort();
  await setStatus(bulkSend, 'paused');
}

/** The row under way ends first; the others keep waiting, selected, for another run. */
export async function stopRun(bulkSend: BulkSend): Promise<void> {
  bulkSend.halt.abort();
  await setStatus(bulkSend, 'stopped');
}

/** Stops a run that is under way and waits for its row, so that the file may go. */
export async function endRun(bulkSend: BulkSend): Promise<void> {
  if (isOpenRun(bulkSend.getState())) await stopRun(bulkSend);
  await bulkSend.working;
}

/** A row that was tried so long ago that a second try might be a second message fails, and is no longer selected. */
async function giveUpForgottenRow(bulkSend: BulkSend): Promise<void> {
  const { run, outcomes, selected } = bulkSend.getState();
  if (run?.tried === undefined || !isKeyForgotten(run.tried.at, Date.now())) return;
  const { index } = run.tried;
  bulkSend.change({
    outcomes: withEntry(outcomes, index, unknownOutcome),
    selected: withoutMember(selected, index),
    run: { ...run, failed: run.failed + 1, tried: undefined },
  });
  await keep(bulkSend.storage.saveOutcome(index, unknownOutcome, progressOf(bulkSend)));
}

function renewHalt(bulkSend: BulkSend): AbortSignal {
  bulkSend.halt = new AbortController();
  return bulkSend.halt.signal;
}

type Work = { authKey: string; signal: AbortSignal };

/** One at a time: what an earlier run has under way ends first. */
function work(bulkSend: BulkSend, input: Work): Promise<RunEnd> {
  const end = bulkSend.working.then(() => sendAll(bulkSend, input));
  bulkSend.working = end.catch(() => undefined);
  return end;
}

async function sendAll(bulkSend: BulkSend, { authKey, signal }: Work): Promise<RunEnd> {
  const { run, outcomes } = bulkSend.getState();
  if (run === undefined) throw new Error('There is no run to send');
  const end = await sendQueue(
    run.queue.filter((index) => !outcomes.has(index)),
    {
      delayMs: run.delayMs,
      signal,
      send: (index) => {
        noteTry(bulkSend, { queue: run.queue, index });
        return sendRow({ authKey, ...messageTo(bulkSend, run, index) }, signal);
      },
      settle: (index, answer) => settle(bulkSend, { queue: run.queue, index, answer }),
    },
  );
  if (end.kind === 'done') await setStatus(bulkSend, 'completed');
  if (end.kind === 'halted') await setStatus(bulkSend, 'paused', end.reason);
  const { status, sent, failed, reason } = bulkSend.getState().run ?? run;
  return { status, sent, failed, reason };
}

/** A file may have taken this one's place meanwhile: its rows are others. */
function noteTry(bulkSend: BulkSend, { queue, index }: { queue: Int32Array; index: number }): void {
  const { outcomes, run } = bulkSend.getState();
  if (run?.queue !== queue) return;
  const tried = { index, at: Date.now() };
  bulkSend.change({ outcomes: withEntry(outcomes, index, { status: 'sending' }), run: { ...run, tried } });
}

function messageTo(bulkSend: BulkSend, run: Run, index: number): Omit<RowMessage, 'authKey'> {
  const { upload, tested } = bulkSend.getState();
  const contact = upload?.contacts[index];
  if (upload === undefined || contact === undefined) throw new Error(`Row ${index} is not in the file`);
  const text = fillMessage(run.message, contact);
  // This very message was sent as a test: the test's key says so to the server, which sends nothing.
  const wasTested = tested?.index === index && tested.projectId === run.projectId && tested.text === text;
  const key = wasTested ? tested.key : `bulk-${upload.id}-${contact.row}`;
  return { key, body: { to: contact.to, message: text } };
}

type Settlement = { queue: Int32Array; index: number; answer: RowAnswer };

async function settle(bulkSend: BulkSend, { queue, index, answer }: Settlement): Promise<void> {
  const { outcomes, selected, run } = bulkSend.getState();
  // A file may have taken this one's place meanwhile.
  if (run?.queue !== queue) return;
  if (answer.kind === 'unreachable') {
    return bulkSend.change({ outcomes: withoutEntry(outcomes, index) });
  }
  const { outcome } = answer;
  const isSent = outcome.status === 'sent';
  bulkSend.change({
    outcomes: withEntry(outcomes, index, outcome),
    ...(isSent && { selected: withoutMember(selected, index) }),
    run: { ...run, ...(isSent ? { sent: run.sent + 1 } : { failed: run.failed + 1 }), tried: undefined },
  });
  await keep(bulkSend.storage.saveOutcome(index, outcome, progressOf(bulkSend)));
}

async function setStatus(bulkSend: BulkSend, status: RunStatus, reason?: string): Promise<void> {
  changeRun(bulkSend, { status, reason, goesOn: false });
  await keep(bulkSend.storage.saveProgress(progressOf(bulkSend)));
}

function changeRun(bulkSend: BulkSend, part: Partial<Run>): void {
  const { run } = bulkSend.getState();
  if (run !== undefined) bulkSend.change({ run: { ...run, ...part } });
}

function progressOf(bulkSend: BulkSend): RunProgress {
  const { run } = bulkSend.getState();
  return { status: run?.status ?? 'stopped', savedAt: run?.tried?.at ?? Date.now(), tried: run?.tried?.index };
}
