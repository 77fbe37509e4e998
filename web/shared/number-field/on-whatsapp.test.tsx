import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { samplePhone } from '#web/testing/samples.ts';
import { OnWhatsApp } from './on-whatsapp.tsx';

const scene = (connector: 'whatsapp' | 'sandbox', exists: boolean | Promise<never>) =>
  answerRequests({
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [samplePhone({ id: 7, connector })] } }),
    'GET /api/phone-numbers/7/check': async () => ({ body: { exists: await exists, number: '353855550121' } }),
  });

test('a complete number is looked up, and a warning says that it is not on WhatsApp', async () => {
  scene('whatsapp', false);
  render(<OnWhatsApp projectId={3} number="+353855550121" />);
  await expect.element(page.getByRole('status')).toHaveTextContent('+353 85 555 0121 is not on WhatsApp.');
});

test('the wait for the answer is shown', async () => {
  scene('whatsapp', new Promise<never>(() => undefined));
  render(<OnWhatsApp projectId={3} number="+353855550121" />);
  await expect.element(page.getByRole('status')).toHaveTextContent('Looking whether it is on WhatsApp');
});

test('a number that is not complete, and a sandbox, ask nothing', async () => {
  const requests = scene('sandbox', true);
  render(
    <>
      <OnWhatsApp projectId={3} number="+353855550121" />
      <OnWhatsApp projectId={3} number="+35385" />
    </>,
  );
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(requests.map(({ url }) => new URL(url).pathname)).not.toContain('/api/phone-numbers/7/check');
});
