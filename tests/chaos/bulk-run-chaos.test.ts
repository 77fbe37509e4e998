import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { afterEach, expect, test } from 'vitest';
import { createBulkRun, getBulkRun, getBulkRunReport, listBulkRuns, startBulkRun } from '#contracts/bulk-runs.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { browserArgs, prepareBrowser } from '#tests/support/browser.ts';
import { findSentFile, sendFile } from '#tests/support/bulk-send-page.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { createRandom } from '#tests/support/random.ts';
import { recountOutcomes } from '#tests/support/recount-outcomes.ts';
import { signInAs } from '#tests/support/signed-in-page.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import { makeChaosScene, undo } from './chaos-scene.ts';
import type { CleanUp } from './chaos-scene.ts';
import { killOverAndOver } from './kill-over-and-over.ts';
import { linkPhone } from './link-phone.ts';

/** `npm run chaos -- bulk` is the long way, with a browser that begins the run and is closed. */
const isLong = process.env['CHAOS_ROUNDS'] !== undefined;
const kills = isLong ? 5 : 2;
const rowCount = isLong ? 5_000 : 200;
const seed = Number(process.env['SEED'] ?? 20_261_122);
const longestLifeMs = isLong ? 6_000 : 1_500;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

test(`kill -9 amid a bulk run of ${rowCount}, ${kills} times (SEED=${seed}): each row is sent exactly once`, async () => {
  const whatsApp = await startStandIn();
  cleanUp.push(whatsApp.stop);
  const scene = await makeChaosScene(cleanUp, whatsApp.url);
  const random = createRandom(seed);
  let product = await scene.start();
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  for (const number of ['5511900000100', '5511900000101']) {
    await linkPhone(whatsApp.control, customer.api, { projectId: project.id, number });
  }
  const apiOf = ({ url }: Product) => createApiClient(url, { authorization: customer.token });
  const phoneOf = (row: number) => String(5_511_910_000_000 + row);
  const lines = Array.from({ length: rowCount }, (_, index) => `55,${phoneOf(index).slice(2)},${index}`);
  const file = {
    name: 'customers.csv',
    csv: `country_code,phone,n\n${lines.join('\n')}`,
    rowCount,
    message: 'Row {n}',
  };
  const runId = isLong ? await beginInBrowser() : await begin();
  const params = { runId };
  const read = async (living: Product) => {
    const { body: now } = await apiOf(living).call(getBulkRun, { params });
    expect(now.waiting_count + now.sent_count + now.failed_count + now.skipped_count).toBe(now.total_count);
    return now;
  };
  const progress = async (living: Product) => {
    const { status, sent_count: sent } = await read(living);
    return status === 'completed' ? 1 : sent / rowCount;
  };
  const disturbed = await killOverAndOver({ product, start: scene.start, random, kills, longestLifeMs, progress });
  product = disturbed.product;
  expect(disturbed.killed).toBeGreaterThan(0);
  await expect
    .poll(() => read(product), { timeout: 2_700_000, interval: 250 })
    .toMatchObject({ status: 'completed', sent_count: rowCount });
  for (let row = 0; row < rowCount; row += 1) {
    const { texts, arrivals } = await whatsApp.control.readContact(phoneOf(row));
    const ids = new Set(arrivals.map(({ id }) => id)).size;
    expect({ row, texts: texts.map(({ text }) => text), ids }).toEqual({ row, texts: [`Row ${row}`], ids: 1 });
  }
  await expectExactReport();
  if (isLong) await inBrowser((page) => findSentFile(page, file));

  async function begin(): Promise<number> {
    const body = { project_id: project.id, message: file.message, delay_ms: 0 };
    const { body: run } = await customer.api.call(createBulkRun, { body });
    const uploaded = await fetch(`${product.url}/api/bulk-runs/${run.id}/rows`, {
      method: 'PUT',
      headers: { authorization: customer.token, 'content-type': 'text/csv' },
      body: file.csv,
    });
    expect(uploaded.status).toBe(200);
    await customer.api.call(startBulkRun, { params: { runId: run.id } });
    return run.id;
  }

  /** The browser is closed once the run has begun. */
  async function beginInBrowser(): Promise<number> {
    await inBrowser((page) => sendFile(page, file));
    const { body: runs } = await customer.api.call(listBulkRuns, { query: {} });
    expect(runs.data).toMatchObject([{ name: file.name, total_count: rowCount }]);
    return runs.data[0]?.id ?? 0;
  }

  async function inBrowser(work: (page: Page) => Promise<void>): Promise<void> {
    const browser = await chromium.launch({ executablePath: await prepareBrowser(), args: [...browserArgs] });
    try {
      const page = await browser.newPage({ baseURL: product.url });
      await signInAs(page, '/bulk-send', { token: customer.token, api: apiOf(product) });
      await work(page);
    } finally {
      await browser.close();
    }
  }

  /** The report's numbers are those that counting the messages again gives, once all answers are in. */
  async function expectExactReport(): Promise<void> {
    for (const row of [0, 1, 2]) {
      await whatsApp.control.incoming({ from: phoneOf(row), to: '5511900000100', text: 'Yes, please' });
    }
    const report = async () => {
      const { body: found } = await apiOf(product).call(getBulkRunReport, { params });
      const { sent, delivered, read: readCount, replied } = found;
      return { source: 'bulk_run', source_id: runId, sent, delivered, read: readCount, replied };
    };
    await expect.poll(report, { interval: 250 }).toMatchObject({ sent: rowCount, replied: 3 });
    const shown = await report();
    expect(shown.delivered).toBeGreaterThan(0);
    expect([shown]).toEqual(await recountOutcomes(scene.database.pool));
  }
}, 3_600_000);
