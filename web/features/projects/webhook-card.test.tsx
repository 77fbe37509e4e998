import { useQuery } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Project } from '#contracts/projects.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { projectQuery } from './project-query.ts';
import { WebhookCard } from './webhook-card.tsx';

const on = sampleProject({ webhook_url: 'https://shop.example/hook' });
const off: Project = {
  ...on,
  webhook_disabled_at: '2026-11-21T08:00:00.000Z',
  webhook_disabled_reason: 'Every attempt has failed for five days.',
};

const notice = page.getByText('This URL was switched off');
const saveAgain = page.getByRole('button', { name: 'Save URL again' });
const sendTest = page.getByRole('button', { name: 'Send test event' });
const byTest = page.getByRole('status').filter({ hasText: 'Save it again' });

/** The card of the project as the server has it now. */
function LiveCard() {
  const { data } = useQuery(projectQuery(3));
  return data && <WebhookCard project={data} />;
}

test('a URL that was switched off says why, and is on again once it is saved', async () => {
  const bodies: unknown[] = [];
  answerRequests({
    'GET /api/projects/3': () => ({ body: off }),
    'PUT /api/projects/3/webhook': async (request) => {
      bodies.push(await request.json());
      return { body: on };
    },
  });
  render(<LiveCard />);
  await expect.element(page.getByText('Every attempt has failed for five days.')).toBeVisible();
  await expect.element(page.getByText('Save the URL again to switch it on.', { exact: false }).first()).toBeVisible();
  await expect.element(sendTest).toBeDisabled();
  await saveAgain.click();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(sendTest).toBeEnabled();
  expect(bodies).toEqual([{ webhook_url: 'https://shop.example/hook' }]);
});

test('a URL that is refused when it is saved again stays off, and says why', async () => {
  answerRequests({
    'GET /api/projects/3': () => ({ body: off }),
    'PUT /api/projects/3/webhook': () => problem(422, 'invalid_input', 'The address is not public'),
  });
  render(<LiveCard />);
  await saveAgain.click();
  await expect.element(page.getByText('The address is not public')).toBeVisible();
  await expect.element(notice).toBeVisible();
});

test('while the URL is being changed only the form saves it', async () => {
  answerRequests({ 'GET /api/projects/3': () => ({ body: off }) });
  render(<LiveCard />);
  await page.getByRole('button', { name: 'Edit webhook URL' }).click();
  await expect.element(notice).toBeVisible();
  await expect.element(saveAgain).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
});

test('a test event to a URL that was switched off meanwhile says so beside the button and above', async () => {
  let project = on;
  answerRequests({
    'GET /api/projects/3': () => ({ body: project }),
    'POST /api/projects/3/webhook/test': () => {
      project = off;
      return problem(409, 'webhook_disabled', 'The webhook URL was switched off.');
    },
  });
  render(<LiveCard />);
  await sendTest.click();
  await expect.element(notice).toBeVisible();
  await expect.element(byTest).toBeVisible();
});

test('a URL that works has no such notice', async () => {
  answerRequests({ 'GET /api/projects/3': () => ({ body: on }) });
  render(<LiveCard />);
  await expect.element(sendTest).toBeEnabled();
  await expect.element(notice).not.toBeInTheDocument();
});
