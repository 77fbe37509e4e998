import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { ProfileCard } from './profile-card.tsx';

const zone = page.getByRole('combobox', { name: 'Time zone' });
const option = (name: string) => page.getByRole('option', { name });
const save = page.getByRole('button', { name: 'Save Changes' });

function open(timezone: string): Request[] {
  const requests = answerRequests({
    'PUT /api/user/me': async (request) => ({ body: sampleUser((await request.json()) as { timezone: string }) }),
  });
  render(<ProfileCard user={sampleUser({ timezone })} />);
  return requests;
}

test('a zone is shown by the name it has today, with its offset', async () => {
  open('Asia/Calcutta');
  await expect.element(zone).toHaveValue('Asia/Kolkata');
  await expect.element(page.getByText('UTC+05:30')).toBeVisible();
  await expect.element(save).toBeDisabled();
});

test('a zone is found by a part of its former name, chosen by keyboard, and saved', async () => {
  const requests = open('UTC');
  await zone.fill('katman');
  await expect.element(option('Asia/Kathmandu')).toHaveTextContent('UTC+05:45');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(zone).toHaveValue('Asia/Kathmandu');
  await save.click();
  await expect.element(page.getByText('Profile updated successfully')).toBeVisible();
  expect(await requests[0]?.json()).toMatchObject({ timezone: 'Asia/Kathmandu' });
});

test('a name that is typed in full counts in any spelling', async () => {
  open('UTC');
  await zone.fill('america/new york');
  await userEvent.keyboard('{Tab}');
  await expect.element(zone).toHaveValue('America/New_York');
});

test('an invalid zone is refused at the field, without a request', async () => {
  const requests = open('UTC');
  await zone.fill('Mars/Base');
  await save.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('time zone');
  expect(requests).toEqual([]);
});
