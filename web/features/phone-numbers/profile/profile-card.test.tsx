import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { PhoneProfile } from '#contracts/phone-profile.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { setUser } from '#web/shared/session.ts';
import { samplePhone, sampleUser } from '#web/testing/samples.ts';
import { ProfileCard } from './profile-card.tsx';

const phone = samplePhone({ is_connected: true, status: 'connected' });
const profile: PhoneProfile = { name: 'Northwind Tea', about: null, photo: null };
const path = '/api/phone-numbers/7/profile';

test('a profile says what is missing of it, and a change sends the changed part alone', async () => {
  setUser(sampleUser());
  const changed = { ...profile, about: 'Every day from 9' };
  const requests = answerRequests({
    [`GET ${path}`]: () => ({ body: profile }),
    [`PUT ${path}`]: () => ({ body: changed }),
  });
  render(<ProfileCard phone={phone} />);
  await expect.element(page.getByText('It has no photo and no about.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Edit profile' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'About (Optional)' }).fill('Every day from 9');
  await dialog.getByRole('button', { name: 'Save Profile' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const sent = requests.filter(({ method }) => method === 'PUT');
  expect(await sent[0]?.json()).toEqual({ about: 'Every day from 9' });
  await expect.element(page.getByText('Every day from 9')).toBeVisible();
});

test('a name is needed', async () => {
  setUser(sampleUser());
  answerRequests({ [`GET ${path}`]: () => ({ body: profile }) });
  render(<ProfileCard phone={phone} />);
  await page.getByRole('button', { name: 'Edit profile' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(' ');
  await dialog.getByRole('button', { name: 'Save Profile' }).click();
  await expect.element(dialog.getByText('Enter a name')).toBeVisible();
});

test('a number that is not connected is not asked, and one that does not answer can be asked again', async () => {
  setUser(sampleUser());
  const requests = answerRequests({
    [`GET ${path}`]: () => ({
      status: 502,
      body: { code: 'phone_silent', message: 'WhatsApp did not answer in time.' },
    }),
  });
  render(
    <>
      <ProfileCard phone={samplePhone({ id: 8 })} />
      <ProfileCard phone={phone} />
    </>,
  );
  await expect.element(page.getByText('Connect the number to see its profile.')).toBeVisible();
  await expect.element(page.getByRole('alert')).toHaveTextContent('WhatsApp did not answer in time.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => requests.length).toBe(2);
});
