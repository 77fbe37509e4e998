import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { restingWords } from '#contracts/phone-numbers.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleHealth, samplePhone } from '#web/testing/samples.ts';
import { PhoneCard } from './phone-card.tsx';
import { PhoneHeader } from './phone-header.tsx';

const connect = page.getByRole('button', { name: 'Connect' });
const sandbox = samplePhone({ connector: 'sandbox' });

test('the first connect of a sandbox says that the phone is connected now, after one request', async () => {
  const requests = answerRequests({
    'GET /api/phone-numbers/7/connect': () => ({ body: { status: 'connected', phone_id: 7 } }),
  });
  render(inRouter(<PhoneCard phone={sandbox} />).page);
  await connect.dblClick();
  await expect.element(page.getByText('Phone connected successfully!')).toBeVisible();
  await expect.element(page.getByText('Phone already connected')).not.toBeInTheDocument();
  expect(requests).toHaveLength(1);
});

test('a sandbox that could not be connected says why', async () => {
  answerRequests({ 'GET /api/phone-numbers/7/connect': () => problem(409, 'x', 'The sandbox is switched off.') });
  render(inRouter(<PhoneCard phone={sandbox} />).page);
  await connect.click();
  await expect.element(page.getByText('The sandbox is switched off.')).toBeVisible();
});

test.for([
  ['card', PhoneCard],
  ['page', PhoneHeader],
] as const)(
  'on its %s a phone that is not connected says what that means, and an error instead where there is one',
  async ([, Component]) => {
    const phone = samplePhone();
    render(inRouter(<Component phone={phone} />).page);
    await expect.element(page.getByText(phone.status_message)).toBeVisible();
    const error = 'This device was removed from the WhatsApp account. Link the phone again.';
    const failed = samplePhone({ status: 'auth_failed', error, status_message: error, name: 'Other' });
    render(inRouter(<Component phone={failed} />).page);
    await expect.element(page.getByText(error)).toBeVisible();
  },
);

test.for([
  ['card', PhoneCard],
  ['page', PhoneHeader],
] as const)(
  'on its %s a sandbox that has stepped back for a real phone says that it rests, and why',
  async ([, Component]) => {
    const connected = { status: 'connected', is_connected: true } as const;
    const phone = samplePhone({ connector: 'sandbox', ...connected, is_resting: true, status_message: restingWords });
    render(inRouter(<Component phone={phone} />).page);
    await expect.element(page.getByText('Resting', { exact: true })).toBeVisible();
    await expect.element(page.getByText(restingWords)).toBeVisible();
  },
);

test('connected, it says nothing of it', async () => {
  const phone = samplePhone({ status: 'connected', is_connected: true, status_message: 'It is linked.' });
  render(inRouter(<PhoneCard phone={phone} />).page);
  await expect.element(page.getByRole('button', { name: 'Disconnect' })).toBeVisible();
  await expect.element(page.getByText(phone.status_message)).not.toBeInTheDocument();
});

test('a number that is limited says until when and why, and leads to its page', async () => {
  const health = sampleHealth({
    state: 'limited',
    code: 'time_lock',
    until: '2026-11-21T09:40:00.000Z',
    reason: 'It is locked.',
  });
  const { page: card, address } = inRouter(<PhoneCard phone={samplePhone({ health })} />);
  render(card);
  await expect.element(page.getByText(/Limited until 21 Nov 2026/)).toBeVisible();
  await expect.element(page.getByText('It is locked.')).toBeVisible();
  await page.getByRole('link', { name: 'Backup line' }).click();
  expect(address()).toBe('/phone-numbers/7');
});
