import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { problem, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { BulkSendPanels } from './bulk-send-panels.tsx';
import { accepted, bodiesOf, csv, fill, message, open, openStored, send, upload } from './bulk-send-scene.tsx';
import { resultCsv } from './result-csv.ts';

test('sends the filled message to each valid row in order, and shows each result', async () => {
  const refusal = problem(422, 'not_on_whatsapp', 'This number is not on WhatsApp');
  const { requests, bulkSend } = await open(async (request) => {
    const { to } = (await request.json()) as { to: string };
    return to === '14155550102' ? refusal : accepted();
  });
  await expect.element(send).toBeDisabled();
  await expect.element(page.getByRole('spinbutton', { name: 'Delay between messages' })).toHaveValue(1000);
  await fill();
  await expect.element(page.getByText('Invalid number')).toBeVisible();
  await expect.element(page.getByRole('checkbox', { name: 'Select row 3' })).not.toBeChecked();
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 2, Failed: 1')).toBeVisible();
  expect(await bodiesOf(requests)).toEqual([
    { to: '14155550101', message: 'Hi Ada of North' },
    { to: '14155550102', message: 'Hi Grace of ' },
    { to: '14155550103', message: 'Hi Lin of West' },
  ]);
  expect(requests[0]?.headers.get('x-auth-key')).toBe('dpa_test');
  await page.getByRole('button', { name: 'Failed 1' }).click();
  await expect.element(page.getByText('This number is not on WhatsApp')).toBeVisible();
  await expect.element(page.getByText('100%', { exact: true })).toBeVisible();

  const result = await resultCsv(bulkSend.getState());
  expect(result).toContain(`3,1,22,"'=Kim",Kiosk,122,invalid,Invalid number`);
  expect(result).toContain('2,1,4155550102,Grace,,14155550102,failed,This number is not on WhatsApp');

  // What failed is still selected; what was sent is never sent again.
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 0, Failed: 1')).toBeVisible();
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[3]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(3);
});

test("says 'HTTP {status}' where the server has no words", async () => {
  await open(() => ({ status: 500, body: '' }));
  await fill();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.element(send).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Select row 1' }).click();
  await send.click();
  await expect.element(page.getByText('HTTP 500')).toBeVisible();
});

test('goes on after a reload with the row that was under way, under the same key', async () => {
  const { promise: never } = Promise.withResolvers<Answer>();
  let count = 0;
  const { requests, userId } = await open(() => {
    count += 1;
    return count === 2 ? never : accepted();
  });
  await fill('Hi');
  await send.click();
  await expect.poll(() => requests.length).toBe(2);

  const reloaded = await openStored(userId);
  expect(reloaded.getState().run).toMatchObject({ status: 'paused', goesOn: true, sent: 1, failed: 0 });
  render(<BulkSendPanels bulkSend={reloaded} projects={[sampleProject()]} />);
  // The page that was closed is still there, with toasts of its own.
  await expect.element(page.getByText('Completed. Sent: 3, Failed: 0').first()).toBeVisible();
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[2]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(3);
});

test('pauses, resumes and stops', async () => {
  const held = [Promise.withResolvers<Answer>(), Promise.withResolvers<Answer>()] as const;
  let count = 0;
  const { requests } = await open(() => held[count++]?.promise ?? accepted());
  await fill('Hi');
  await send.click();
  await expect.poll(() => requests.length).toBe(1);
  await page.getByRole('button', { name: 'Pause' }).click();
  held[0].resolve(accepted());
  await expect.element(page.getByText('1 of 3 done')).toBeVisible();
  expect(requests).toHaveLength(1);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => requests.length).toBe(2);
  await page.getByRole('button', { name: 'Stop' }).click();
  held[1].resolve(accepted());
  await expect.element(page.getByText('Stopped. Sent: 2, Failed: 0')).toBeVisible();
  await expect.element(page.getByText('1 selected', { exact: true })).toBeVisible();
  expect(requests).toHaveLength(2);
});

test('tests with the first selected row, whose message the run then does not send anew', async () => {
  const { requests } = await open(accepted);
  await fill();
  const testFirst = page.getByRole('button', { name: 'Test first' });
  await testFirst.click();
  await expect.element(page.getByText('Test message sent successfully')).toBeVisible();
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 3, Failed: 0')).toBeVisible();
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[1]).toBe(keys[0]);
});

test('invalid rows can be selected, but neither tested nor sent to', async () => {
  const { requests } = await open(accepted);
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
  expect(requests).toHaveLength(0);
});

test('says that sending broke off where no answer comes, and that a file cannot be read', async () => {
  const { bulkSend } = await open(() => problem(409, 'no_connected_phone', 'Connect a phone to this project first'));
  const { arrayBuffer } = File.prototype;
  File.prototype.arrayBuffer = () => Promise.reject(new Error('It is on a disk that is gone'));
  onTestFinished(() => void (File.prototype.arrayBuffer = arrayBuffer));
  await upload(csv);
  await expect.element(page.getByText('Failed to read file')).toBeVisible();
  File.prototype.arrayBuffer = arrayBuffer;

  await upload(twelve);
  await page.getByRole('spinbutton', { name: 'Delay between messages' }).fill('0');
  await message.fill('Hi');
  await send.click();
  await expect.element(page.getByText('An error occurred during sending')).toBeVisible();
  expect(bulkSend.getState().run).toMatchObject({ status: 'paused', failed: 10 });
});

const twelve = ['country_code,phone', ...Array.from({ length: 12 }, (_, row) => `1,41555501${10 + row}`)].join('\n');

test('pauses by itself after ten refusals in a row that are none of the rows’ own', async () => {
  const reason = 'Connect a phone to this project first';
  let isConnected = false;
  const { requests } = await open(() => (isConnected ? accepted() : problem(409, 'no_connected_phone', reason)));
  await upload(twelve);
  await page.getByRole('spinbutton', { name: 'Delay between messages' }).fill('0');
  await message.fill('Hi');
  await send.click();
  await expect.element(page.getByText('Paused', { exact: true })).toBeVisible();
  await expect.element(page.getByText(`${reason}. Resume to go on`, { exact: false })).toBeVisible();
  const sends = () => requests.filter(({ url }) => url.endsWith('/send-message'));
  expect(sends()).toHaveLength(10);
  isConnected = true;
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.element(page.getByText('Completed. Sent: 2, Failed: 10')).toBeVisible();
  expect(sends()).toHaveLength(12);
});

test('counts such refusals anew after a row that gets through', async () => {
  let count = 0;
  const { requests } = await open(() => {
    count += 1;
    return count === 10 ? accepted() : problem(409, 'no_connected_phone', 'Connect a phone to this project first');
  });
  await upload(twelve);
  await page.getByRole('spinbutton', { name: 'Delay between messages' }).fill('0');
  await message.fill('Hi');
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 1, Failed: 11')).toBeVisible();
  expect(requests).toHaveLength(12);
});

test('waits the delay between two messages, and not after Stop', async () => {
  const arrivedAt: number[] = [];
  const { requests } = await open(() => {
    arrivedAt.push(performance.now());
    return accepted();
  });
  const delay = page.getByRole('spinbutton', { name: 'Delay between messages' });
  await fill('Hi');
  await delay.fill('200');
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 3, Failed: 0')).toBeVisible();
  const waits = arrivedAt.slice(1).map((at, index) => at - (arrivedAt[index] ?? 0));
  expect(Math.min(...waits)).toBeGreaterThan(195);

  await upload(csv);
  await delay.fill('60000');
  await send.click();
  await expect.element(page.getByText('Sending 2 of 3')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.element(page.getByText('Stopped. Sent: 1, Failed: 0')).toBeVisible();
  expect(requests).toHaveLength(4);
});
