import type { Page } from 'playwright';

export type SentFile = { name: string; csv: string; rowCount: number; message: string };

/** Sends a file from the bulk send page, without a delay; it goes on without the page from then on. */
export async function sendFile(page: Page, { name, csv, rowCount, message }: SentFile): Promise<void> {
  const count = rowCount.toLocaleString('en');
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('main').getByLabel('Project').selectOption('Shop');
  await page.getByLabel('Delay between messages').fill('0');
  await page.getByLabel('Message', { exact: true }).fill(message);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: `Send to ${count}` }).click();
  await page.getByText('It goes on without this page.').waitFor();
}

/** Finds the run among the past ones and opens it: its page says that all were sent. */
export async function findSentFile(page: Page, { name, rowCount }: SentFile): Promise<void> {
  await page.getByRole('link', { name: 'Past runs' }).click();
  await page.getByRole('searchbox', { name: 'Search bulk runs' }).fill(name);
  await page.getByRole('link', { name, exact: true }).click();
  const count = rowCount.toLocaleString('en');
  await page.getByRole('progressbar', { name: `Progress of ${name}` }).waitFor();
  await page.getByText('Every row has been dealt with.').waitFor();
  await page.getByRole('region', { name: 'What became of it' }).getByText(count, { exact: true }).first().waitFor();
}
