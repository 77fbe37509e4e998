/** Measures the page of bulk send with a file of 50,000 rows: how soon the rows are there, and how they scroll. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { Browser, Page } from 'playwright';
import { getCurrentUser } from '#contracts/accounts.ts';
import { browserArgs, prepareBrowser } from '#tests/support/browser.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { startProduct } from '#tests/support/product.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';
import { median, percentile } from './measure.ts';

const rowCount = 50_000;
const rounds = 5;
/** The busiest way through a long list: a new part of it in every frame. */
const draggedPixelsPerFrame = 9000;
const framesPerRound = 240;
/** A frame of a display at 60 Hz; later than half of another, and one was left out. */
const frameMs = 1000 / 60;

const contacts = Buffer.from(
  [
    'country_code,phone,name,shop',
    ...Array.from({ length: rowCount }, (_, row) => `1,415${5_550_000 + row},Customer ${row},Larkspur ${row % 40}`),
  ].join('\n'),
);

/** Times between frames, in how many of them a part of the table showed no row, and the page's own work in all of them. */
type Frames = { intervalsMs: number[]; gaps: number; workMs: number };

/**
 * The metrics of a frame that are due to the page, and not to the machine, which paints without a graphics card here.
 */
const workMetrics = new Set(['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']);

export async function benchBulkSend(): Promise<readonly Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-bench-'));
  const product = await startProduct({ env: { DATA_DIR: dataDir } });
  const browser = await chromium.launch({ executablePath: await prepareBrowser(), args: [...browserArgs] });
  try {
    const page = await openBulkSend(browser, product.url);
    const readyMs: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      if (round > 0) await page.getByRole('button', { name: 'Remove' }).click();
      readyMs.push(await loadRows(page));
    }
    const idle: Frames[] = [];
    const wheeled: Frames[] = [];
    const dragged: Frames[] = [];
    for (let round = 0; round < rounds; round += 1) {
      idle.push(await scrollBy(page, 0));
      wheeled.push(await scrollBy(page, 120));
      dragged.push(await scrollBy(page, draggedPixelsPerFrame));
    }
    return [
      // The first one also starts the worker's code.
      alone(
        `${rowCount.toLocaleString('en')} rows in the table`,
        `${Math.round(median(readyMs.slice(1)))} ms`,
        '1000 ms',
      ),
      frameFigure('scrolled, 120 px a frame', wheeled, idle),
      frameFigure(`scrolled, ${draggedPixelsPerFrame} px a frame`, dragged, idle),
    ];
  } finally {
    await browser.close();
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function openBulkSend(browser: Browser, url: string): Promise<Page> {
  const customer = await signUpSubscriber(url);
  await makeProject(customer);
  const { body } = await customer.api.call(getCurrentUser);
  const session = JSON.stringify({ token: customer.token, user: body.user, currentProjectId: null });
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  await context.addInitScript({ path: join(import.meta.dirname, 'in-page.js') });
  await context.addInitScript(`localStorage.setItem('dovepost.session', ${JSON.stringify(session)})`);
  const page = await context.newPage();
  await page.goto('/bulk-send');
  return page;
}

/** From the choice of the file to the frame that shows its rows. */
async function loadRows(page: Page): Promise<number> {
  const input = page.locator('input[type="file"]');
  await input.waitFor({ state: 'attached' });
  const ready = page.evaluate<number>(`bench.untilRows(${rowCount})`);
  await input.setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: contacts });
  return ready;
}

async function scrollBy(page: Page, pixels: number): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const workSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.reduce((sum, { name, value }) => (workMetrics.has(name) ? sum + value : sum), 0);
  };
  const before = await workSeconds();
  const scroll = `bench.scrollRows('Rows, scrolling', ${pixels}, ${framesPerRound})`;
  const frames = await page.evaluate<Omit<Frames, 'workMs'>>(scroll);
  const workMs = ((await workSeconds()) - before) * 1000;
  await session.detach();
  return { ...frames, workMs };
}

function frameFigure(what: string, scrolled: readonly Frames[], idle: readonly Frames[]): Figure {
  const all = scrolled.flatMap(({ intervalsMs }) => intervalsMs);
  const gaps = scrolled.reduce((sum, round) => sum + round.gaps, 0);
  const words = (frames: readonly number[]) =>
    `${droppedIn(frames)} of ${frames.length} frames dropped, longest ${Math.round(percentile(frames, 1))} ms`;
  const workMs = scrolled.reduce((sum, round) => sum + round.workMs, 0) / all.length;
  const product = `${workMs.toFixed(1)} ms a frame; ${words(all)}, ${gaps} with gaps`;
  return alone(
    what,
    product,
    `${frameMs.toFixed(1)} ms a frame`,
    words(idle.flatMap(({ intervalsMs }) => intervalsMs)),
  );
}

/** Frames of the display for which the page had nothing new. */
function droppedIn(intervalsMs: readonly number[]): number {
  return intervalsMs.reduce((sum, interval) => sum + Math.max(0, Math.round(interval / frameMs) - 1), 0);
}
