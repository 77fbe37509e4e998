import Papa from 'papaparse';
import { expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import type { BulkRowChange, BulkRun } from '#contracts/bulk-runs.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleProject, noSkips } from '#web/testing/samples.ts';
import { BulkSendPanels } from './bulk-send-panels.tsx';
import { fillMessage } from './fill-message.ts';
import { openBulkSend, type BulkSend } from './run/bulk-send.ts';
import { openRunStorage } from './run/run-storage.ts';

export const csv =
  'Country_Code,Phone,name,shop\n1,4155550101,Ada,North\n1,4155550102,Grace,\n1,22,=Kim,Kiosk\n1,4155550103,Lin,West';

export const send = page.getByRole('button', { name: 'Send', exact: true });
export const message = page.getByRole('textbox', { name: 'Message' });
export const project = page.getByRole('combobox', { name: 'Project' });
export const preview = page.getByRole('region', { name: 'Preview' });
export const file = page.getByRole('group', { name: 'Loaded file' });
export const question = page.getByRole('alertdialog');

/** Test files share the browser's storage. */
let lastUser = Math.trunc(performance.timeOrigin);

export async function openStored(userId: number): Promise<BulkSend> {
  const storage = await openRunStorage(userId);
  return openBulkSend(storage, await storage.load());
}

/** Lets go of a file over an element, as a browser does. */
export function drop(text: string, name: string, onto: Element): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  for (const type of ['dragover', 'drop']) {
    onto.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  }
}

type SentText = { row: number; to: string; message: string };
type Verdict = { status: 'sent' | 'failed' | 'pending'; error?: string };

/** The behaviour of the server's runs in this test. */
export type Runs = {
  /** The texts that went out, in order. */
  texts: SentText[];
  runs: BulkRun[];
  /** The outcome of a text; `pending` ones are asked for again at every poll. */
  verdict: (text: SentText) => Verdict;
  /** Delays the answer to a start. */
  starting?: Promise<void>;
  /** In place of the answer to a new run. */
  refusal?: Answer | undefined;
};

const draft = (id: number): BulkRun => ({
  id,
  name: '',
  project_id: 3,
  message: '',
  media: null,
  template: null,
  delay_ms: 0,
  topic_id: null,
  status: 'draft',
  waiting_for: null,
  waiting_until: null,
  columns: [],
  is_uploading: false,
  total_count: 0,
  sent_count: 0,
  failed_count: 0,
  skipped_count: 0,
  waiting_count: 0,
  created_at: '2026-11-20T10:00:00.000Z',
  started_at: null,
  finished_at: null,
});

type Row = Record<string, string>;

/** Runs of the server as far as the page sees them: a look at one that is running takes all of its rows further. */
function answersOf(runs: Runs): Parameters<typeof answerRequests>[0] {
  const rowsOf = new Map<number, Row[]>();
  const changesOf = new Map<number, Map<number, BulkRowChange>>();

  function work(run: BulkRun): void {
    const changes = changesOf.get(run.id) ?? new Map<number, BulkRowChange>();
    changesOf.set(run.id, changes);
    if (run.status !== 'running') return;
    for (const fields of rowsOf.get(run.id) ?? []) {
      const row = Number(fields['#row']);
      const before = changes.get(row)?.status;
      if (before === 'sent' || before === 'failed') continue;
      const to = `${fields['country_code'] ?? ''}${fields['phone']}`;
      const text = { row, to, message: fillMessage(run.message, fields) };
      if (before === undefined) runs.texts.push(text);
      const { status, error = null } = runs.verdict(text);
      changes.set(row, { row, status, error });
    }
    const statuses = [...changes.values()].map(({ status }) => status);
    run.sent_count = statuses.filter((status) => status === 'sent').length;
    run.failed_count = statuses.filter((status) => status === 'failed').length;
    run.waiting_count = run.total_count - run.sent_count - run.failed_count;
    if (run.waiting_count === 0) run.status = 'completed';
  }

  const answersOfRun = (id: number): [string, (request: Request) => Answer | Promise<Answer>][] => {
    const path = `/api/bulk-runs/${id}`;
    const run = () => runs.runs.find((one) => one.id === id) ?? draft(id);
    const become = (status: BulkRun['status']) => () => {
      run().status = status;
      return { body: run() };
    };
    return [
      [
        `PUT ${path}/rows`,
        async (request) => {
          const { data } = Papa.parse<Row>(await request.text(), { header: true });
          rowsOf.set(id, data);
          run().total_count = data.length;
          run().waiting_count = data.length;
          return { body: run() };
        },
      ],
      [`POST ${path}/preview`, () => ({ body: reviewOf(run(), rowsOf.get(id) ?? []) })],
      [
        `POST ${path}/start`,
        async () => {
          await runs.starting;
          return become('running')();
        },
      ],
      [`POST ${path}/pause`, become('paused')],
      [`POST ${path}/resume`, become('running')],
      [`POST ${path}/stop`, become('stopped')],
      [`DELETE ${path}`, () => ({ body: null })],
      [
        `GET ${path}`,
        () => {
          work(run());
          return { body: run() };
        },
      ],
      [
        `GET ${path}/rows/changes`,
        () => ({ body: { data: [...(changesOf.get(id)?.values() ?? [])], next: null, has_more: false } }),
      ],
    ];
  };

  return {
    'POST /api/bulk-runs': async (request) => {
      if (runs.refusal !== undefined) return runs.refusal;
      const run = { ...draft(runs.runs.length + 1), ...((await request.json()) as object) };
      runs.runs.push(run);
      return { status: 201, body: run };
    },
    ...Object.fromEntries([1, 2, 3].flatMap(answersOfRun)),
  };
}

function reviewOf(run: BulkRun, rows: readonly Row[]) {
  return {
    total: rows.length,
    will_receive: rows.length,
    warnings: [],
    skipped: { ...noSkips, invalid_number: 0, opted_out: 0 },
    duplicates: 0,
    capped_waiting: 0,
    placeholders: [],
    samples: rows.slice(0, 3).map((fields) => ({
      profile_id: null,
      name: fields['name'] ?? null,
      phone: `${fields['country_code']}${fields['phone']}`,
      message: fillMessage(run.message, fields),
    })),
    media: null,
    forecast: null,
  };
}

export const accepted = (): Verdict => ({ status: 'sent' });

/** The page with a server whose runs do as `verdict` says. */
export async function open(
  verdict: Runs['verdict'] = accepted,
  answers: Parameters<typeof answerRequests>[0] = {},
  authKey = 'dpa_test',
) {
  lastUser += 1;
  const userId = lastUser;
  onTestFinished(() => void indexedDB.deleteDatabase(`dovepost.bulk-send.${userId}`));
  const runs: Runs = { texts: [], runs: [], verdict };
  const requests = answerRequests({
    ...answersOf(runs),
    'POST /api/send-message': () => ({ body: { id: 1, project_id: 3, status: 'sent', error: null } }),
    'GET /api/user/me': () => problem(401, 'x', 'x'),
    ...answers,
  });
  const bulkSend = await openStored(userId);
  onTestFinished(() => bulkSend.leave());
  show(bulkSend, authKey);
  return { requests, runs, bulkSend, userId };
}

export function show(bulkSend: BulkSend, authKey = 'dpa_test'): void {
  render(inRouter(<BulkSendPanels bulkSend={bulkSend} projects={[sampleProject({ auth_key: authKey })]} />).page);
}

export async function upload(text: string, name = 'customers.csv'): Promise<void> {
  await expect.element(project).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  await page.elementLocator(input ?? document.body).upload(new File([text], name));
}

export async function fill(text = 'Hi {name} of {shop}'): Promise<void> {
  await upload(csv);
  await expect.element(page.getByText('Loaded 4 rows')).toBeVisible();
  await project.selectOptions('Larkspur Store');
  await page.getByRole('spinbutton', { name: 'Delay between messages' }).fill('0');
  await message.fill(text);
}
