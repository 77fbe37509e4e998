import { useQuery } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Project } from '#contracts/projects.ts';
import type { WebhookRecord } from '#contracts/webhooks.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { projectQuery } from '../project-query.ts';
import { WebhookDetail } from './webhook-detail.tsx';

const at = '2026-11-21T08:00:00.000Z';
const record: WebhookRecord = {
  id: 8,
  event_id: 'evt_1',
  sequence: 1,
  endpoint_id: null,
  url: 'https://shop.example/hook',
  type: 'test',
  payload: { id: 'evt_1', type: 'test', timestamp: at, data: {} },
  status: 'failed',
  error: 'The server answered 410',
  attempts: 1,
  last_status_code: 410,
  next_attempt_at: null,
  created_at: at,
};
const on = sampleProject({ webhook_url: record.url });
const off: Project = { ...on, webhook_disabled_at: at, webhook_disabled_reason: 'It answered 410 Gone.' };
const retry = page.getByRole('button', { name: 'Retry' });
const beside = page.getByText('The webhook URL was switched off. Save it again to switch it on.');

/** The record of the project as the server has it now. */
function LiveDetail() {
  const { data } = useQuery(projectQuery(3));
  const isOff = data?.webhook_disabled_at !== null;
  return data && <WebhookDetail key={String(isOff)} record={record} projectId={3} isOff={isOff} />;
}

test('a retry to a URL that was switched off meanwhile says beside the button how it is switched on', async () => {
  let project = on;
  answerRequests({
    'GET /api/projects/3': () => ({ body: project }),
    'POST /api/webhooks/8/retry': () => {
      project = off;
      return problem(409, 'webhook_disabled', 'The webhook URL was switched off.');
    },
  });
  render(<LiveDetail />);
  await expect.element(beside).not.toBeInTheDocument();
  await retry.click();
  await expect.element(beside).toBeVisible();
  await expect.element(retry).toBeDisabled();
});

test('a retry that fails otherwise says so in a toast, and can be pressed again', async () => {
  answerRequests({
    'GET /api/projects/3': () => ({ body: on }),
    'POST /api/webhooks/8/retry': () => problem(409, 'no_webhook_url', 'Set a webhook URL first'),
  });
  render(<LiveDetail />);
  await retry.click();
  await expect.element(page.getByText('Set a webhook URL first')).toBeVisible();
  await expect.element(beside).not.toBeInTheDocument();
  await expect.element(retry).toBeEnabled();
});
