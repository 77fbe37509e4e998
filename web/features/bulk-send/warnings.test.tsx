import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accepted, fill, message, open, preview, send, upload } from './bulk-send-scene.tsx';

const testFirst = page.getByRole('button', { name: 'Test first' });
const delay = page.getByRole('spinbutton', { name: 'Delay between messages' });
const warning = page.getByText('Look at these rows before you send');
const rowBox = (row: number) => page.getByRole('checkbox', { name: `Select row ${row}`, exact: true });

beforeEach(() => page.viewport(1280, 900));

test.each(['', '-5'])('with the delay %j nothing can be sent, and its field says what to enter', async (typed) => {
  const { runs } = await open(accepted);
  await fill('Hi {name}');
  await expect.element(send).toBeEnabled();
  await delay.fill(typed);
  await expect.element(delay).toHaveAccessibleDescription('Enter 0 or more');
  await expect.element(send).toBeDisabled();
  await expect.element(testFirst).toBeDisabled();
  await delay.fill('0');
  await expect.element(delay).not.toHaveAccessibleDescription();
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 3, Failed: 0')).toBeVisible();
  expect(runs.texts).toHaveLength(3);
});

test('with a placeholder that nothing fills nothing can be sent, and the message says which it is', async () => {
  const { requests } = await open(accepted);
  await fill('Hi {nmae} of {shop}');
  await expect
    .element(message)
    .toHaveAccessibleDescription(
      '{nmae} is not filled in. Use {name} and {shop}, a column of the file, or a default such as {name|there}.',
    );
  await expect.element(send).toBeDisabled();
  await expect.element(testFirst).toBeDisabled();
  await message.fill('Hi {name} of {shop}');
  await expect.element(message).not.toHaveAccessibleDescription();
  await expect.element(send).toBeEnabled();
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('warns of placeholders that stay empty and of numbers listed twice, for the rows that are selected', async () => {
  await open(accepted);
  await fill('Hi {name} of {shop}');
  await upload('country_code,phone,name,shop\n1,4155550101,Ada,\n1,4155550102,Grace,North\n1,4155550102,Lin,West');
  await expect.element(page.getByText('{shop} is empty in 1 selected row.')).toBeVisible();
  await expect.element(page.getByText('1 selected row has a number that another row has too')).toBeVisible();
  await rowBox(1).click();
  await expect.element(page.getByText('{shop} is empty')).not.toBeInTheDocument();
  await rowBox(3).click();
  await expect.element(warning).not.toBeInTheDocument();
  // The warning does not prevent sending.
  await rowBox(1).click();
  await expect.element(warning).toBeVisible();
  await expect.element(send).toBeEnabled();
});

/** The labels of the checkboxes in the rows of the wide table that stand out. */
const highlighted = () =>
  [...document.querySelectorAll('tr[aria-current="true"] [aria-label^="Select row"]')].map((box) =>
    box.getAttribute('aria-label'),
  );

test('the row that is previewed is the row that stands out, wherever the table is scrolled and however it is filtered', async () => {
  await open(accepted);
  await fill('Hi {name}');
  const rows = Array.from({ length: 400 }, (_, row) =>
    row % 10 === 4 ? `1,22,Bad ${row + 1},Corner` : `1,41555${50_000 + row},Person ${row + 1},Corner`,
  );
  await upload(['country_code,phone,name,shop', ...rows].join('\n'));
  await expect.element(preview).toHaveTextContent('Hi Person 1');
  await expect.poll(highlighted).toEqual(['Select row 1']);
  await page.getByText('Person 14', { exact: true }).click();
  await expect.element(preview).toHaveTextContent('Hi Person 14');
  await expect.poll(highlighted).toEqual(['Select row 14']);
  // Row 15 cannot be sent to, and can be looked at.
  await page.getByText('Bad 15', { exact: true }).click();
  await expect.element(preview).toHaveTextContent('Hi Bad 15');
  await expect.poll(highlighted).toEqual(['Select row 15']);
  // Without the rows before it row 16 is another place of the table.
  await page.getByRole('button', { name: /^Valid/ }).click();
  await page.getByText('Person 16', { exact: true }).click();
  await expect.element(preview).toHaveTextContent('Hi Person 16');
  await expect.poll(highlighted).toEqual(['Select row 16']);
  rowBox(16).element().focus();
  await userEvent.keyboard('{End}');
  await expect.element(preview).toHaveTextContent('Hi Person 400');
  await expect.poll(highlighted).toEqual(['Select row 400']);
});
