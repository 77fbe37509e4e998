import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { samplePhone } from '#web/testing/samples.ts';
import { AboutNumber } from './about-number.tsx';

const optedOut = {
  phone: '353855550121',
  opted_out_at: '2026-11-14T10:00:00.000Z',
  by: 'reply',
  evidence: null,
  note: null,
};

const scene = (exists: boolean | Promise<never>, topic?: '*' | 'marketing') =>
  answerRequests({
    'GET /api/suppressions/%2B353855550121': () => ({
      body: {
        phone: optedOut.phone,
        opted_out: topic !== undefined,
        suppression: topic === undefined ? null : { ...optedOut, topic },
        log: [],
      },
    }),
    'GET /api/projects/3/phone-numbers': () => ({
      body: { data: [samplePhone({ id: 7, is_connected: true })] },
    }),
    'GET /api/phone-numbers/7/check': async () => ({ body: { exists: await exists, number: '353855550121' } }),
  });

test('a complete number is looked up, and a warning says that it is not on WhatsApp', async () => {
  scene(false);
  render(<AboutNumber projectId={3} number="+353855550121" />);
  await expect.element(page.getByRole('status')).toHaveTextContent('+353 85 555 0121 is not on WhatsApp.');
});

test('the wait for the answer is shown', async () => {
  scene(new Promise<never>(() => undefined));
  render(<AboutNumber projectId={3} number="+353855550121" />);
  await expect.element(page.getByRole('status')).toHaveTextContent('Looking whether it is on WhatsApp');
});

test('a number is looked up once it is complete, and not before', async () => {
  const requests = scene(false);
  render(
    <>
      <AboutNumber projectId={3} number="+35385" />
      <AboutNumber projectId={3} number="+353855550121" />
    </>,
  );
  await expect.element(page.getByText('is not on WhatsApp.')).toBeVisible();
  const asked = requests.map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search);
  expect(asked).toEqual([
    '/api/suppressions/%2B353855550121',
    '/api/projects/3/phone-numbers',
    '/api/phone-numbers/7/check?number=%2B353855550121',
  ]);
});

test('a number that has opted out is told of with its date, and is not looked up', async () => {
  const requests = scene(false, '*');
  render(<AboutNumber projectId={3} number="+353855550121" />);
  const words = 'Opted out on 14 November 2026. Only a person in the inbox may answer.';
  await expect.element(page.getByRole('status')).toHaveTextContent(words);
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/api/suppressions/%2B353855550121']);
});

test('an opt-out from marketing alone stops no single message, and is not told', async () => {
  scene(false, 'marketing');
  render(<AboutNumber projectId={3} number="+353855550121" />);
  await expect.element(page.getByRole('status')).toHaveTextContent('is not on WhatsApp.');
  await expect.element(page.getByRole('status')).not.toHaveTextContent('Opted out');
});
