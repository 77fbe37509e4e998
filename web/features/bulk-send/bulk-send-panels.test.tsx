import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { BulkSendPanels } from './bulk-send-panels.tsx';
import { resultCsv } from './result-csv.ts';
import { openBulkSend, type BulkSend } from './run/bulk-send.ts';
import { openRunStorage } from './run/run-storage.ts';

const csv =
  'Country_Code,Phone,name,shop\n1,4155550101,Ada,North\n1,4155550102,Grace,\n1,22,=Kim,Kiosk\n1,4155550103,Lin,West';

const send = page.getByRole('button', { name: 'Send', exact: true });
const message = page.getByRole('textbox', { name: 'Message' });
const project = page.getByRole('combobox', { name: 'Project' });
const preview = page.getByRole('region', { name: 'Preview' });

let lastUser = 0;

async function openStored(userId: number): Promise<BulkSend> {
  const storage = await openRunStorage(userId);
  return openBulkSend(storage, await storage.load());
}

async function open(answer: (request: Request) => Answer | Promise<Answer>, authKey = 'dpa_test') {
  lastUser += 1;
  const userId = lastUser;
  onTestFinished(() => void indexedDB.deleteDatabase(`dovepost.bulk-send.${userId}`));
  const requests = answerRequests({
    'POST /api/send-message': answer,
    'GET /api/user/me': () => problem(401, 'x', 'x'),
  });
  const bulkSend = await openStored(userId);
  render(<BulkSendPanels bulkSend={bulkSend} projects={[sampleProject({ auth_key: authKey })]} />);
  return { requests, bulkSend, userId };
}

async function upload(text: string, name = 'customers.csv'): Promise<void> {
  await expect.element(project).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  await page.elementLocator(input ?? document.body).upload(new File([text], name));
}

async function fill(text = 'Hi {name} of {shop}'): Promise<void> {
  await upload(csv);
  await expect.element(page.getByText('Loaded 4 rows')).toBeVisible();
  await project.selectOptions('Larkspur Store');
  await page.getByRole('spinbutton', { name: 'Delay between messages' }).fill('0');
  await message.fill(text);
}

const accepted = () => ({ body: { id: 1, project_id: 3, status: 'sent', error: null } });
const bodiesOf = (requests: Request[]) =>
  Promise.all(requests.map((request) => request.clone().json() as Promise<{ to: string; message: string }>));

test.each([
  ['customers.txt', csv, 'Please upload a .csv file'],
  ['customers.csv', 'country_code,phone', 'CSV appears empty or invalid'],
  ['customers.csv', 'name\nAda', 'Failed to parse CSV'],
])('refuses %s with %j', async (name, text, toast) => {
  await open(accepted);
  await upload(text, name);
  await expect.element(page.getByText(toast)).toBeVisible();
});

test('sends the filled message to each valid row in order, and tells what became of them', async () => {
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

test('asks for a key of the project and for a valid number', async () => {
  await open(accepted, '');
  await fill();
  await send.click();
  await expect
    .element(page.getByText('Selected project has no auth key. Please connect WhatsApp for this project.'))
    .toBeVisible();
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

test('the preview is of John, then of the row that has the focus', async () => {
  await open(accepted);
  await expect.element(project).toBeVisible();
  await message.fill('Hi {name}');
  await expect.element(preview).toHaveTextContent('Hi John');
  await fill('Hi {name}');
  await expect.element(preview).toHaveTextContent('Hi Ada');
  document.querySelector<HTMLElement>('[aria-label="Select row 1"]')?.focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(preview).toHaveTextContent('Hi Grace');
  await expect.element(page.getByRole('checkbox', { name: 'Select row 2' })).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(preview).toHaveTextContent('Hi Lin');
});
