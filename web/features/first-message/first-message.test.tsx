import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Message } from '#contracts/messages.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleMessage, samplePhone, sampleProject } from '#web/testing/samples.ts';
import { FirstMessage } from './first-message.tsx';

const sandbox = samplePhone({ connector: 'sandbox', status: 'connected', is_connected: true });

type Account = { messages?: readonly Message[]; project?: Project };

function open(first: readonly PhoneNumber[], { messages = [], project = sampleProject() }: Account = {}) {
  let phones = first;
  const requests = answerRequests({
    'GET /api/projects': () => ({ body: { data: [project] } }),
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: phones } }),
    'POST /api/projects/3/phone-numbers': () => {
      phones = [sandbox];
      return { status: 201, body: sandbox };
    },
    'GET /api/messages': () => ({ body: { data: messages, profiles: [], next_cursor: null } }),
    'GET /api/team': () => ({ body: { members: [{ id: 1 }], invitations: [] } }),
    'POST /api/send-message': () => problem(409, 'opted_out', 'This number has opted out'),
  });
  const { page: element, address } = inRouter(<FirstMessage projectId={3} />);
  render(element);
  return { requests, address };
}

test('a click makes the sandbox, and a refusal stands at the message', async () => {
  const { requests } = open([]);
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

test('the checklist goes on to a webhook, a number that reaches people, and the team', async () => {
  const messages = [sampleMessage({ id: 2, direction: 'incoming' }), sampleMessage({ id: 1, direction: 'outgoing' })];
  const { address } = open([sandbox], { messages });
  const list = page.getByRole('region', { name: 'Get started' });
  await expect.element(list).toHaveTextContent('3 of 6 done');
  await expect
    .element(list.getByRole('listitem').filter({ hasText: 'Add a webhook' }))
    .toHaveAttribute('aria-current', 'step');
  await list.getByRole('link', { name: 'Connect a number' }).click();
  expect(address()).toBe('/projects/3/phone-numbers/connect');
});

test('numbers that could not be loaded are told, and come when asked again', async () => {
  let isDown = true;
  answerRequests({
    'GET /api/projects': () => ({ body: { data: [sampleProject()] } }),
    'GET /api/projects/3/phone-numbers': () =>
      isDown ? problem(500, 'internal', 'The server failed') : { body: { data: [] } },
    'GET /api/messages': () => ({ body: { data: [], profiles: [], next_cursor: null } }),
  });
  render(inRouter(<FirstMessage projectId={3} />).page);
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server failed');
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('button', { name: 'Create a sandbox' })).toBeVisible();
});
