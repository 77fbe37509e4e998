import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Contact } from '#contracts/contacts.ts';
import { setUser } from '#web/shared/session.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { WhatsAppFacts } from './whatsapp-facts.tsx';

const ada: Contact = {
  number: '353855550121',
  lid: '1353855550121',
  name: 'Ada',
  about: 'At the harbour',
  photo: null,
  is_blocked: false,
  phone_id: 7,
  fetched_at: '2026-11-23T10:00:00.000Z',
};

test('the about is shown, and the contact is blocked and unblocked', async () => {
  setUser(sampleUser());
  answerRequests({
    'GET /api/contacts/353855550121': () => ({ body: ada }),
    'PUT /api/contacts/353855550121/block': () => ({ body: { ...ada, is_blocked: true } }),
    'DELETE /api/contacts/353855550121/block': () => ({ body: ada }),
  });
  render(<WhatsAppFacts phone="353855550121" />);
  const facts = page.getByRole('region', { name: 'On WhatsApp' });
  await expect.element(facts).toHaveTextContent('At the harbour');
  await facts.getByRole('button', { name: 'Block' }).click();
  await expect.element(facts).toHaveTextContent('This phone takes nothing from them.');
  await facts.getByRole('button', { name: 'Unblock' }).click();
  await expect.element(facts.getByRole('button', { name: 'Block', exact: true })).toBeVisible();
});

test('a refusal is told, and nothing is shown while no phone can ask', async () => {
  setUser(sampleUser());
  const requests = answerRequests({
    'GET /api/contacts/353855550121': () => ({ body: ada }),
    'GET /api/contacts/353855550122': () => ({
      status: 409,
      body: { message: 'No phone number that could ask is connected', code: 'no_connected_phone' },
    }),
    'PUT /api/contacts/353855550121/block': () => ({
      status: 502,
      body: { message: 'WhatsApp did not answer in time. Try again in a minute.', code: 'phone_silent' },
    }),
  });
  render(
    <>
      <WhatsAppFacts phone="353855550122" />
      <WhatsAppFacts phone="353855550121" />
    </>,
  );
  await page.getByRole('button', { name: 'Block' }).click();
  await expect.element(page.getByText('WhatsApp did not answer in time.')).toBeVisible();
  expect(requests.length).toBe(3);
  expect(page.getByRole('region', { name: 'On WhatsApp' }).elements()).toHaveLength(1);
});
