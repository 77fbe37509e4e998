import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { samplePhone } from '#web/testing/samples.ts';
import { OnWhatsApp } from './on-whatsapp.tsx';

const scene = (exists: boolean | Promise<never>) =>
  answerRequests({
    'GET /api/projects/3/phone-numbers': () => ({
      body: { data: [samplePhone({ id: 7, is_connected: true })] },
    }),
    'GET /api/phone-numbers/7/check': async () => ({ body: { exists: await exists, number: '353855550121' } }),
  });

test('a complete number is looked up, and a warning says that it is not on WhatsApp', async () => {
  scene(false);
  render(<OnWhatsApp projectId={3} number="+353855550121" />);
  await expect.element(page.getByRole('status')).toHaveTextContent('+353 85 555 0121 is not on WhatsApp.');
});

test('the wait for the answer is shown', async () => {
  scene(new Promise<never>(() => undefined));
  render(<OnWhatsApp projectId={3} number="+353855550121" />);
  await expect.element(page.getByRole('status')).toHaveTextContent('Looking whether it is on WhatsApp');
});

function Typed() {
  const [number, setNumber] = useState('+35385');
  return (
    <>
      <button onClick={() => setNumber('+353855550121')}>Complete it</button>
      <OnWhatsApp projectId={3} number={number} />
    </>
  );
}

test('a number is looked up once it is complete, and not before', async () => {
  const requests = scene(false);
  render(<Typed />);
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  await page.getByRole('button').click();
  await expect.element(page.getByRole('status')).toHaveTextContent('is not on WhatsApp.');
  const asked = requests.filter(({ url }) => url.includes('/check')).map(({ url }) => new URL(url).search);
  expect(asked).toEqual(['?number=%2B353855550121']);
});
