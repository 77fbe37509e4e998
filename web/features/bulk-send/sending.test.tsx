import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { getToasts, onToastsChange } from '#web/shared/ui/toast-store.ts';
import { problem } from '#web/testing/answer-requests.ts';
import { accepted, csv, fill, message, open, openStored, project, send, show, upload } from './bulk-send-scene.tsx';
import { resultCsv } from './result-csv.ts';

const delay = page.getByRole('spinbutton', { name: 'Delay between messages' });
const review = page.getByRole('dialog', { name: /^Review/ });

test('the server gets the selected rows with their columns, and the page shows what becomes of each', async () => {
  const { runs, bulkSend } = await open(({ to }) =>
    to === '14155550102' ? { status: 'failed', error: 'This number is not on WhatsApp' } : { status: 'sent' },
  );
  await expect.element(send).toBeDisabled();
  await expect.element(delay).toHaveValue(1000);
  await fill();
  await expect.element(page.getByText('Invalid number')).toBeVisible();
  await expect.element(page.getByRole('checkbox', { name: 'Select row 3' })).not.toBeChecked();
  await delay.fill('250');
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 2, Failed: 1')).toBeVisible();
  expect(runs.runs).toMatchObject([
    { name: 'customers.csv', project_id: 3, message: 'Hi {name} of {shop}', delay_ms: 250 },
  ]);
  expect(runs.texts).toEqual([
    { row: 1, to: '14155550101', message: 'Hi Ada of North' },
    { row: 2, to: '14155550102', message: 'Hi Grace of ' },
    { row: 4, to: '14155550103', message: 'Hi Lin of West' },
  ]);
  await page.getByRole('button', { name: 'Failed 1' }).click();
  await expect.element(page.getByText('This number is not on WhatsApp')).toBeVisible();
  await expect.element(page.getByText('100%', { exact: true })).toBeVisible();

  const result = await resultCsv(bulkSend.getState());
  expect(result).toContain(`3,1,22,"'=Kim",Kiosk,122,invalid,Invalid number`);
  expect(result).toContain('2,1,4155550102,Grace,,14155550102,failed,This number is not on WhatsApp');

  // Failed rows are still selected; sent rows are never sent again.
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 2, Failed: 1').nth(1)).toBeVisible();
  expect(runs.texts.slice(3)).toEqual([{ row: 2, to: '14155550102', message: 'Hi Grace of ' }]);
});

test('every column of the file is a placeholder', async () => {
  const { runs } = await open();
  await upload('country_code,phone,Order No\n1,4155550101,17\n1,4155550102,');
  await expect.element(page.getByRole('button', { name: 'Insert {order no}' })).toBeVisible();
  await delay.fill('0');
  await message.fill('Order {Order No|soon}');
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 2, Failed: 0')).toBeVisible();
  expect(runs.texts.map((text) => text.message)).toEqual(['Order 17', 'Order soon']);
});

test('after a reload the page finds its run again, and its end is announced once', async () => {
  const announced = new Set<string>();
  const collect = () => {
    for (const { id, text } of getToasts()) if (text === 'Completed. Sent: 3, Failed: 0') announced.add(id);
  };
  onTestFinished(onToastsChange(collect));
  const { runs, userId, bulkSend } = await open(() => ({ status: 'pending' }));
  await fill('Hi');
  await send.click();
  await expect.element(page.getByText('Sending 1 of 3')).toBeVisible();
  const reloaded = await openStored(userId);
  onTestFinished(() => reloaded.leave());
  show(reloaded);
  await expect.poll(() => reloaded.getState().run).toMatchObject({ status: 'running', total: 3, sent: 0 });
  runs.verdict = accepted;
  await expect.poll(() => reloaded.getState().run).toMatchObject({ status: 'completed', sent: 3 });
  await expect.poll(() => bulkSend.getState().run).toMatchObject({ status: 'completed', sent: 3 });
  expect(runs.texts).toHaveLength(3);
  // Of the two pages one has announced it, and a page that comes later does not, either.
  await expect.poll(() => announced.size).toBe(1);
  const late = await openStored(userId);
  onTestFinished(() => late.leave());
  show(late);
  await expect.poll(() => late.getState().run).toMatchObject({ status: 'completed', sent: 3 });
  await late.storage.load();
  expect(announced.size).toBe(1);
});

test('a page that is left while its run starts watches nothing', async () => {
  const { requests, runs, bulkSend } = await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  runs.starting = promise;
  await fill('Hi');
  await send.click();
  await expect.poll(() => requests.some(({ url }) => url.endsWith('/start'))).toBe(true);
  bulkSend.leave();
  resolve();
  await expect.poll(() => bulkSend.getState()).toMatchObject({ isStarting: false, run: { status: 'running' } });
  expect(bulkSend.watching.signal.aborted).toBe(true);
});

test('pauses, resumes and stops', async () => {
  const { runs } = await open(({ row }) => ({ status: row === 1 ? 'sent' : 'pending' }));
  await fill('Hi');
  await send.click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.element(page.getByText('1 of 3 done')).toBeVisible();
  await expect.element(page.getByText('Nothing goes out until you resume.')).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.element(page.getByText('Sending 2 of 3')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.element(page.getByText('Stopped. Sent: 1, Failed: 0')).toBeVisible();
  expect(runs.runs).toMatchObject([{ status: 'stopped' }]);
});

test('tests with the first selected row, whose message the run then does not send anew', async () => {
  const { requests, runs } = await open();
  await fill();
  await page.getByRole('button', { name: 'Test first' }).click();
  await expect.element(page.getByText('Test message sent successfully')).toBeVisible();
  const [tried] = requests.filter(({ url }) => url.endsWith('/send-message'));
  expect(await tried?.json()).toEqual({ to: '14155550101', message: 'Hi Ada of North' });
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 3, Failed: 0')).toBeVisible();
  expect(runs.texts.map(({ row }) => row)).toEqual([2, 4]);
});

test('invalid rows can be selected, but neither tested nor sent to', async () => {
  const { requests } = await open();
  await fill();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('checkbox', { name: 'Select row 3' }).click();
  await page.getByRole('button', { name: 'Test first' }).click();
  await expect.element(page.getByText('Test failed: Invalid number')).toBeVisible();
  await send.click();
  await expect.element(page.getByText('No valid numbers to send')).toBeVisible();
  await page.getByRole('button', { name: 'Select all' }).click();
  await expect.element(page.getByText('4 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Deselect invalid' }).click();
  await expect.element(page.getByText('3 selected')).toBeVisible();
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

const twelve = ['country_code,phone,name', ...Array.from({ length: 12 }, (_, row) => `1,41555501${10 + row},P${row}`)];

test('a message to many is reviewed first: Back sends nothing, the button says the number', async () => {
  const { requests, runs } = await open();
  await upload(twelve.join('\n'));
  await delay.fill('0');
  await message.fill('Hi {name}');
  await send.click();
  await expect.element(review).toHaveTextContent('Hi P2');
  await expect.element(review.getByRole('button', { name: 'Send to 12' })).toBeEnabled();
  await review.getByRole('button', { name: 'Back' }).click();
  await expect.element(send).toBeEnabled();
  expect(requests.some(({ method, url }) => method === 'DELETE' && url.endsWith('/bulk-runs/1'))).toBe(true);
  expect(runs.texts).toEqual([]);
  await send.click();
  await review.getByRole('combobox', { name: 'Send me a test' }).fill('+1 415 555 0199');
  await review.getByRole('button', { name: 'Send test' }).click();
  await expect.element(review.getByText('Test message sent successfully')).toBeVisible();
  await review.getByRole('button', { name: 'Send to 12' }).click();
  await expect.element(page.getByText('Completed. Sent: 12, Failed: 0')).toBeVisible();
});

test('says why a run could not be started, and that a file cannot be read', async () => {
  const { runs } = await open();
  const { arrayBuffer } = File.prototype;
  File.prototype.arrayBuffer = () => Promise.reject(new Error('It is on a disk that is gone'));
  onTestFinished(() => void (File.prototype.arrayBuffer = arrayBuffer));
  await upload(csv);
  await expect.element(page.getByText('Failed to read file')).toBeVisible();
  File.prototype.arrayBuffer = arrayBuffer;

  await fill('Hi');
  runs.refusal = problem(413, 'storage_quota_reached', 'The rows of your bulk runs take up 1024 MiB');
  await send.click();
  await expect.element(page.getByText('The rows of your bulk runs take up 1024 MiB')).toBeVisible();
  runs.refusal = { status: 500, body: '' };
  await send.click();
  await expect.element(page.getByText('An error occurred during sending')).toBeVisible();
  await expect.element(send).toBeEnabled();
  await expect.element(project).toBeEnabled();
});
