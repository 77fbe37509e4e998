import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { listBulkRuns } from '#contracts/bulk-runs.ts';
import { listMessages } from '#contracts/messages.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { findSentFile, sendFile } from '#tests/support/bulk-send-page.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { startProduct } from '#tests/support/product.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const rowCount = 500;
const numberOf = (row: number) => `1415555${String(2000 + row)}`;

const file = {
  name: 'customers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'country_code,phone,name,shop',
      ...Array.from({ length: rowCount }, (_, row) => `1,${numberOf(row).slice(1)},Ada ${row},Shop`),
    ].join('\n'),
  ),
};

async function sentSoFar(page: Page): Promise<number> {
  const told = await page.getByRole('progressbar').getAttribute('aria-valuetext');
  return Number(told?.split(' ')[0]);
}

async function recordsOf({ api }: Customer, projectId: number): Promise<{ to: string | null; message: string }[]> {
  const pages = Array.from({ length: rowCount / 100 + 1 }, (_, index) => index + 1);
  const answers = await Promise.all(
    pages.map((page) => api.call(listMessages, { params: { projectId }, query: { page, pageSize: 100 } })),
  );
  return answers.flatMap(({ body }) => body.data);
}

test('a run of 500 rows that is reloaded twice sends each row once', async ({ page, product }) => {
  test.setTimeout(120_000);
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  await signInAs(page, '/bulk-send', customer);

  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.getByText(`Loaded ${rowCount} rows`)).toBeVisible();
  await page.getByRole('main').getByLabel('Project').selectOption('Shop');
  // Slow enough that the page is reloaded amid it.
  await page.getByLabel('Delay between messages').fill('30');
  await page.getByLabel('Message', { exact: true }).fill('Hi {name} of {shop}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const review = page.getByRole('dialog', { name: 'Review “customers.csv”' });
  await expect(review.getByText('Hi Ada 0 of Shop')).toBeVisible();
  await expect(review.getByText(/^Done /).first()).toBeVisible();
  await review.getByRole('button', { name: 'Send to 500' }).click();

  for (const atLeast of [50, 200]) {
    await expect.poll(() => sentSoFar(page), { timeout: 60_000 }).toBeGreaterThan(atLeast);
    await page.reload();
    await expect(page.getByRole('progressbar')).toBeVisible();
    expect(await sentSoFar(page)).toBeGreaterThan(atLeast);
  }
  await expect(page.getByText(`Completed. Sent: ${rowCount}, Failed: 0`)).toBeVisible({ timeout: 90_000 });

  const records = await recordsOf(customer, project.id);
  const expected = Array.from({ length: rowCount }, (_, row) => `${numberOf(row)} Hi Ada ${row} of Shop`);
  expect(records.map(({ to, message }) => `${to} ${message}`).toSorted()).toEqual(expected.toSorted());
});

test('a run goes on without its page: it is paused, resumed and stopped on a page of its own', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  await signInAs(page, '/bulk-send', customer);

  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByRole('main').getByLabel('Project').selectOption('Shop');
  await page.getByLabel('Message', { exact: true }).fill('Hi {name}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Send to 500' }).click();
  await expect(page.getByText('It goes on without this page.')).toBeVisible();

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL('/');
  const sent = async () => (await customer.api.call(listBulkRuns, { query: {} })).body.data[0]?.sent_count ?? 0;
  const before = await sent();
  await expect.poll(sent).toBeGreaterThan(before);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bulk send' }).click();
  await page.getByRole('link', { name: 'Past runs' }).click();
  await page.getByRole('link', { name: 'customers.csv' }).click();
  await expect(page).toHaveURL(/\/bulk-send\/\d+$/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Run paused')).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Run resumed')).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('alertdialog', { name: 'Stop this run?' }).getByRole('button', { name: 'Stop the run' }).click();
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible();
  await page
    .getByRole('group', { name: 'State of rows' })
    .getByRole('button', { name: /^Skipped/ })
    .click();
  await expect(page.getByText('The run was stopped').first()).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Result file' }).click();
  expect((await download).suggestedFilename()).toBe('customers-results.csv');

  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Copy of customers.csv' })).toBeVisible();
  await expect(page.getByText('It was prepared, and nothing has been sent.')).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Send to 500' }).click();
  await expect(page.getByText('Run started')).toBeVisible();
  await expect(page.getByText('It goes on without this page.')).toBeVisible();
});

test('a run goes on after its browser is closed and the server was killed, and is found again', async ({
  browser,
  whatsApp,
}) => {
  test.setTimeout(180_000);
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-e2e-'));
  const start = () => startProduct({ env: { DATA_DIR: dataDir }, whatsAppUrl: whatsApp.url });
  let product = await start();
  try {
    const customer = await signUpSubscriber(product.url);
    await connectSandboxPhone(customer, (await makeProject(customer)).id);
    const sent = { name: file.name, csv: file.buffer.toString(), rowCount, message: 'Hi {name}' };
    const first = await browser.newContext({ baseURL: product.url });
    const page = await first.newPage();
    await signInAs(page, '/bulk-send', customer);
    await sendFile(page, sent);
    await first.close();
    await product.kill();

    product = await start();
    const api = createApiClient(product.url, { authorization: customer.token });
    const run = async () => (await api.call(listBulkRuns, { query: {} })).body.data[0];
    await expect.poll(run, { timeout: 90_000 }).toMatchObject({ status: 'completed', sent_count: rowCount });
    const second = await browser.newContext({ baseURL: product.url });
    const other = await second.newPage();
    await signInAs(other, '/bulk-send', { token: customer.token, api });
    await findSentFile(other, sent);
    await second.close();
  } finally {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
