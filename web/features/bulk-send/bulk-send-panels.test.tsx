import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  accepted,
  csv,
  drop,
  file,
  fill,
  message,
  open,
  openStored,
  preview,
  project,
  question,
  send,
  upload,
} from './bulk-send-scene.tsx';
import { changeSetup } from './run/bulk-send.ts';
import { forgetOtherRuns, forgetRuns } from './run/forget-runs.ts';
import { firstSetup } from './run/setup.ts';

test.each([
  ['customers.txt', csv, 'Please upload a .csv file'],
  ['customers.csv', 'country_code,phone', 'CSV appears empty or invalid'],
  ['customers.csv', 'name\nAda', 'Failed to parse CSV'],
])('refuses %s with %j', async (name, text, toast) => {
  await open(accepted);
  await upload(text, name);
  await expect.element(page.getByText(toast)).toBeVisible();
});

test('a file with other headers asks for its columns, and for the country of its numbers', async () => {
  const { runs } = await open(accepted);
  await upload('Nombre;Móvil\nAna;34613300106\nBea;613300107', 'clientes.csv');
  const columns = page.getByRole('dialog', { name: 'Choose columns' });
  await expect.element(columns.getByLabelText('Phone number')).toHaveValue('1');
  await expect
    .element(columns.getByText('1 number is no full number: it is read as one of this country.'))
    .toBeVisible();
  await columns.getByLabelText('Name', { exact: true }).selectOptions('nombre');
  await expect.element(columns.getByLabelText('Country of numbers')).toHaveValue('ES');
  await columns.getByRole('button', { name: 'Load rows' }).click();
  await expect.element(page.getByText('Loaded 2 rows')).toBeVisible();
  await expect.element(page.getByText('+34 613 30 01 07')).toBeVisible();
  await project.selectOptions('Larkspur Store');
  await message.fill('Hola {nombre}');
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 2, Failed: 0')).toBeVisible();
  expect(runs.texts.map(({ message: text }) => text)).toEqual(['Hola Ana', 'Hola Bea']);
});

test('digits that the account knows as full numbers go before the country of the file', async () => {
  const { requests } = await open(accepted, {
    'POST /api/numbers/known': () => ({ body: { known: ['613300106'] } }),
  });
  await upload('Móvil\n34613300105\n613300106\n613300107\n4155550199', 'clientes.csv');
  const columns = page.getByRole('dialog', { name: 'Choose columns' });
  await columns.getByRole('button', { name: 'Load rows' }).click();
  await expect.element(page.getByText('+34 613 30 01 07')).toBeVisible();
  await expect.element(page.getByText(/^\+61 ?3/)).toBeVisible();
  await expect.element(page.getByText('+34 613 30 01 06')).not.toBeInTheDocument();
  await expect.element(page.getByText(/not clear whose number it is/)).toBeVisible();
  const asked = requests.filter(({ url }) => url.endsWith('/numbers/known'));
  expect(await Promise.all(asked.map((each) => each.json()))).toEqual([
    { numbers: ['613300106', '613300107', '4155550199'] },
  ]);
});

test('asks for a key of the project and for a valid number', async () => {
  await open(accepted, {}, '');
  await fill();
  await send.click();
  await expect
    .element(page.getByText('Selected project has no auth key. Please connect WhatsApp for this project.'))
    .toBeVisible();
});

/** The labels of the checkboxes in the rows that stand out. */
const highlighted = () =>
  [...document.querySelectorAll('[aria-current="true"] [aria-label^="Select row"]')].map((box) =>
    box.getAttribute('aria-label'),
  );

test('the preview is of John, then of the row that has the focus or was clicked, which is highlighted', async () => {
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
  await expect.poll(highlighted).toEqual(['Select row 4']);
  await page.getByText('Grace', { exact: true }).click();
  await expect.element(preview).toHaveTextContent('Hi Grace');
  await expect.poll(highlighted).toEqual(['Select row 2']);
});

test('takes a file that is dropped, then another in its place', async () => {
  await open(accepted);
  await expect.element(project).toBeVisible();
  const input = document.querySelector('input[type="file"]');
  drop(csv, 'customers.csv', input?.closest('label') ?? document.body);
  await expect.element(file).toHaveTextContent('customers.csv');
  drop('not a list', 'notes.txt', file.element());
  await expect.element(page.getByText('Please upload a .csv file')).toBeVisible();
  drop('country_code,phone\n1,4155550199', 'more.csv', file.element());
  await expect.element(file).toHaveTextContent('more.csv');
  await expect.element(page.getByText('1 selected', { exact: true })).toBeVisible();
});

test('asks before a file takes the place of one that is being sent to', async () => {
  const { runs } = await open(() => ({ status: 'pending' }));
  await fill('Hi');
  await send.click();
  await expect.element(page.getByText('Running', { exact: true })).toBeVisible();
  const more = 'country_code,phone\n1,4155550199';
  drop(more, 'more.csv', file.element());
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText('Running', { exact: true })).toBeVisible();
  drop(more, 'more.csv', file.element());
  await question.getByRole('button', { name: 'Stop and replace' }).click();
  await expect.element(file).toHaveTextContent('more.csv');
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
  expect(runs.runs).toMatchObject([{ status: 'stopped' }]);
});

test('removes the file, after a question where results or a run go with it', async () => {
  const { bulkSend, userId } = await open(accepted);
  await fill('Hi');
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect.element(page.getByText('No contacts yet')).toBeVisible();
  await upload(csv);
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 3, Failed: 0')).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect.element(page.getByText('No contacts yet')).toBeVisible();
  expect(bulkSend.getState()).toMatchObject({ upload: undefined, run: undefined });
  await expect
    .poll(async () => (await openStored(userId)).getState())
    .toMatchObject({ upload: undefined, run: undefined });
  // The typed message stays for the next file.
  await expect.element(message).toHaveValue('Hi');
});

test('keeps the project, the delay and the message over a reload before anything is sent', async () => {
  const { userId } = await open(accepted);
  await project.selectOptions('Larkspur Store');
  await page.getByRole('spinbutton', { name: 'Delay between messages' }).fill('250');
  await message.fill('Hi {name}');
  const typed = { ...firstSetup, projectId: '3', delay: '250', message: 'Hi {name}' };
  await expect.poll(async () => (await openStored(userId)).getState().setup).toEqual(typed);
  await upload(csv);
  await expect.poll(async () => (await openStored(userId)).getState().upload?.fileName).toBe('customers.csv');
  expect((await openStored(userId)).getState().setup).toEqual(typed);
});

test('chooses the only project by itself, and none that is gone', async () => {
  const { bulkSend } = await open(accepted);
  await expect.element(project).toHaveDisplayValue('Larkspur Store');
  bulkSend.change({ setup: { ...firstSetup, projectId: '99', delay: '0' } });
  await expect.element(project).toHaveDisplayValue('Select a project');
});

test('is deleted when its user leaves, also while it is open', async () => {
  const { bulkSend, userId } = await open(accepted);
  await fill('Hi');
  await expect.poll(async () => (await openStored(userId)).getState().upload?.fileName).toBe('customers.csv');
  forgetRuns(userId);
  await expect.poll(async () => (await openStored(userId)).getState().upload).toBe(undefined);
  // The page that is still there cannot bring it back.
  await changeSetup(bulkSend, { message: 'Hello' });
  expect((await openStored(userId)).getState().setup.message).toBe('');
});

test('an account does not see the file of another, and data of others is removed when it signs in', async () => {
  const { userId } = await open(accepted);
  await fill('Hi');
  await expect.poll(async () => (await openStored(userId)).getState().upload?.fileName).toBe('customers.csv');
  const other = 1000 + userId;
  onTestFinished(() => forgetRuns(other));
  expect((await openStored(other)).getState()).toMatchObject({ upload: undefined, setup: { message: '' } });
  await forgetOtherRuns(userId);
  await expect.poll(async () => (await openStored(userId)).getState().upload?.fileName).toBe('customers.csv');
  await forgetOtherRuns(other);
  await expect.poll(async () => (await openStored(userId)).getState().upload).toBe(undefined);
});
