import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { TestEvent } from './test-event.tsx';

const project = sampleProject({ webhook_url: 'https://shop.example/hook' });
const record = { id: 8, status: 'pending', error: null, last_status_code: null };
const button = page.getByRole('button', { name: 'Send test event' });
const result = page.getByRole('status');

function open(outcome: { status: string; error: string | null; last_status_code: number | null }): void {
  answerRequests({
    'POST /api/projects/3/webhook/test': () => ({ status: 201, body: record }),
    'GET /api/projects/3/webhooks': () => ({ body: { data: [{ ...record, ...outcome }], total: 1 } }),
  });
  render(<TestEvent project={project} />);
}

test('says beside the button that the event was received, and what was answered', async () => {
  open({ status: 'success', error: null, last_status_code: 204 });
  await button.click();
  await expect.element(result).toHaveTextContent('Received. It answered 204.');
});

test('says beside the button why it was not received', async () => {
  open({ status: 'pending', error: 'The server answered 500', last_status_code: 500 });
  await button.click();
  await expect.element(result).toHaveTextContent('Not received: The server answered 500');
});

test('nothing is sent to a URL that was switched off, and the page says why', async () => {
  render(<TestEvent project={{ ...project, webhook_disabled_at: '2026-11-21T08:00:00.000Z' }} />);
  await expect.element(button).toBeDisabled();
  await expect.element(result).toHaveTextContent('The webhook URL was switched off. Save it again to switch it on.');
});

test('says that it could not be sent at all', async () => {
  answerRequests({
    'POST /api/projects/3/webhook/test': () => problem(409, 'no_webhook_url', 'Set a webhook URL first'),
  });
  render(<TestEvent project={project} />);
  await button.click();
  await expect.element(result).toHaveTextContent('Set a webhook URL first');
});
