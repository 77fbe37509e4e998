import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { KeptMessagesCard } from './kept-messages-card.tsx';

const choice = page.getByRole('combobox', { name: 'Keep messages for' });
const save = page.getByRole('button', { name: 'Save Changes of kept messages' });
const dialog = page.getByRole('alertdialog');

function open(kept: number | null): Request[] {
  const requests = answerRequests({
    'PUT /api/user/me': async (request) => ({ body: sampleUser((await request.clone().json()) as object) }),
  });
  render(<KeptMessagesCard user={sampleUser({ messages_kept_days: kept })} />);
  return requests;
}

test('a shorter time is asked about before anything is deleted, and can be left', async () => {
  const requests = open(null);
  await expect.element(save).toBeDisabled();
  await choice.selectOptions('90 days');
  await save.click();
  await expect.element(dialog).toHaveTextContent('Delete what is older than 90 days?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(requests).toEqual([]);
  await save.click();
  await dialog.getByRole('button', { name: 'Delete Old Messages' }).click();
  await expect.element(page.getByText('Saved how long messages are kept')).toBeVisible();
  expect(await requests[0]?.json()).toEqual({ messages_kept_days: 90 });
});

test('a longer time needs no question, and a number of days that is not on the list is shown', async () => {
  const requests = open(45);
  await expect.element(choice).toHaveValue('45');
  await choice.selectOptions('As long as the account exists');
  await save.click();
  await expect.element(page.getByText('Saved how long messages are kept')).toBeVisible();
  expect(await requests[0]?.json()).toEqual({ messages_kept_days: null });
});
