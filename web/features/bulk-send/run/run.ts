import type { Review } from '#contracts/reviews.ts';
import { cutText } from '#contracts/shorten-text.ts';
import { callApi } from '#web/shared/api.ts';
import { carriedBody } from '#web/shared/attach/carried-file.ts';
import { contentOf } from '#web/shared/whatsapp-template/bound-value.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { isOpenRun, keep, type BulkSend, type BulkSendState } from './bulk-send.ts';
import { rowKey } from './row-message.ts';
import { rowsCsv } from './rows-csv.ts';
import { deselectInvalid, sendableRows } from './selection.ts';
import type { RunSettings } from './setup.ts';
import { showRun, watchRun, type RunEnd } from './watch-run.ts';

/** Asks whether it is meant, where it goes to many. */
export type AskReview = (review: () => Promise<Review>, count: number) => Promise<boolean>;

/**
 * Gives the selected rows that can be sent to, those that failed before included, to a run of the server and starts it;
 * then watches it to its end. Undefined where it was not started. A row that had this very message as a test counts as
 * sent.
 */
export async function startRun(
  bulkSend: BulkSend,
  settings: RunSettings,
  askReview: AskReview,
): Promise<RunEnd | undefined> {
  if (isOpenRun(bulkSend.getState())) return undefined;
  deselectInvalid(bulkSend);
  bulkSend.change({ isStarting: true });
  try {
    const stored = await prepareAndStart(bulkSend, settings, askReview);
    if (stored === undefined) return undefined;
    bulkSend.change({ isStarting: false });
    return await watchRun(bulkSend, stored);
  } finally {
    bulkSend.change({ isStarting: false });
  }
}

async function prepareAndStart(bulkSend: BulkSend, settings: RunSettings, askReview: AskReview) {
  const { rows, tested } = rowsOf(bulkSend.getState(), sendableRows(bulkSend), settings);
  const { upload } = bulkSend.getState();
  if (upload === undefined) return undefined;
  const { message, media, template } = contentOf(settings);
  const { id: runId } = await callApi('POST /api/bulk-runs', {
    body: {
      name: cutText(upload.fileName, 120),
      project_id: settings.projectId,
      message,
      ...(media !== null && { media: carriedBody(media) }),
      ...(template !== null && { template }),
      delay_ms: Math.round(settings.delayMs),
      ...(settings.topicId !== null && { topic_id: settings.topicId }),
    },
  });
  const params = { runId };
  const query = { default_country: upload.defaultCountry ?? undefined };
  try {
    await callApi('PUT /api/bulk-runs/{runId}/rows', { params, query }, { file: await rowsCsv(upload, rows) });
    const review = () => callApi('POST /api/bulk-runs/{runId}/preview', { params, body: {} });
    if (!(await askReview(review, rows.length))) {
      await callApi('DELETE /api/bulk-runs/{runId}', { params });
      return undefined;
    }
  } catch (error) {
    await callApi('DELETE /api/bulk-runs/{runId}', { params }).catch(() => undefined);
    throw error;
  }
  const stored = { runId, tested };
  const outcomes = new Map(bulkSend.getState().outcomes);
  for (const index of rows) outcomes.delete(index);
  // Stored first: whatever becomes of the answer, the page finds the run again.
  await keep(bulkSend.storage.saveRun(stored));
  const run = await callApi('POST /api/bulk-runs/{runId}/start', { params });
  bulkSend.change({ outcomes });
  showRun(bulkSend, stored, run, 'running');
  return stored;
}

type Rows = { rows: number[]; tested: number | undefined };

function rowsOf({ tested, upload }: BulkSendState, sendable: Int32Array, settings: RunSettings): Rows {
  const rows = [...sendable];
  const contact = tested && upload?.contacts[tested.index];
  const wasTested =
    contact !== undefined &&
    tested?.projectId === settings.projectId &&
    rows.includes(tested.index) &&
    tested.key === rowKey(settings, contact.fields);
  // On its own it is sent to again: nothing else can be meant.
  if (!wasTested || rows.length === 1) return { rows, tested: undefined };
  return { rows: rows.filter((index) => index !== tested.index), tested: tested.index };
}

const changes = {
  pause: 'POST /api/bulk-runs/{runId}/pause',
  resume: 'POST /api/bulk-runs/{runId}/resume',
  stop: 'POST /api/bulk-runs/{runId}/stop',
} as const;

const statuses = { pause: 'paused', resume: 'running', stop: 'stopped' } as const;

/** Changes the run of the server; the page that watches it announces its end. */
export async function changeRun(bulkSend: BulkSend, change: keyof typeof changes): Promise<void> {
  const { run } = bulkSend.getState();
  if (run === undefined) return;
  const { runId, tested } = run;
  const after = await callApi(changes[change], { params: { runId } });
  // Its end is announced by whoever watches, once all rows are known.
  if (change !== 'stop') showRun(bulkSend, { runId, tested }, after, statuses[change]);
}

/** Stops a run that is under way, so that the file may go. */
export async function endRun(bulkSend: BulkSend): Promise<void> {
  const { run } = bulkSend.getState();
  bulkSend.watching.abort();
  if (run?.status !== 'running' && run?.status !== 'paused') return;
  try {
    await changeRun(bulkSend, 'stop');
  } catch (error) {
    logFailure('The run could not be stopped.', error);
    throw error;
  }
}
