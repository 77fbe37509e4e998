import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { samplePhone, sampleProject } from '#web/testing/samples.ts';
import { FirstMessage } from './first-message.tsx';

const sandbox = samplePhone({ connector: 'sandbox', status: 'connected', is_connected: true });

function open(first: readonly PhoneNumber[]) {
  let phones = first;
  const requests = answerRequests({
    'GET /api/projects': () => ({ body: { data: [sampleProject()] } }),
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: phones } }),
    'POST /api/projects/3/phone-numbers': () => {
      phones = [sandbox];
      return { status: 201, body: sandbox };
    },
    'GET /api/messages': () => ({ body: { data: [], profiles: [], next_cursor: null } }),
    'POST /api/send-message': () => problem(409, 'opted_out', 'This number has opted out'),
  });
  const { page: element } = inRouter(<FirstMessage projectId={3} />);
  render(element);
  return requests;
}

test('a click makes the sandbox, and a refusal stands at the message', async () => {
  const requests = open([]);
  await page.getByRole('button', { name: 'Create a sandbox' }).click();
  await expect.element(page.getByText('Nothing has come yet')).toBeVisible();
  const made = requests.find(({ method }) => method === 'POST');
  expect(await made?.json()).toEqual({ connector: 'sandbox' });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect
    .element(page.getByRole('textbox', { name: 'Message' }))
    .toHaveAccessibleDescription('This number has opted out');
});

test('behind a real number the sandbox has stepped back, and the page says so', async () => {
  const real = samplePhone({ connector: 'whatsapp', connected_at: '2026-11-20T10:00:00.000Z' });
  open([real, { ...sandbox, is_resting: true }]);
  await expect.element(page.getByText('This project sends by a real number')).toBeVisible();
  expect(page.getByRole('button', { name: 'Send' }).elements()).toEqual([]);
});
