import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { sampleDays } from '#web/testing/day-counts.ts';
import { render } from '#web/testing/render.tsx';
import { samplePhone, sampleProject } from '#web/testing/samples.ts';
import { Counts } from './counts.tsx';

function open(...parameters: Parameters<typeof sampleDays>): void {
  const connected = { is_connected: true, status: 'connected' } as const;
  answerRequests({
    'GET /api/projects/3/phone-numbers': () => ({
      body: {
        data: [
          samplePhone(connected),
          samplePhone({ ...connected, id: 8, is_active: false }),
          samplePhone({ ...connected, id: 9, connector: 'sandbox', is_resting: true }),
        ],
      },
    }),
    'GET /api/messages/daily-counts': () => ({ body: { data: sampleDays(...parameters), timezone: 'UTC' } }),
  });
  render(<Counts projects={[sampleProject()]} current={sampleProject()} />);
}

const counts = page.getByLabelText('Counts');

test('counts projects, connections and messages', async () => {
  open({ 0: { sent: 49, delivered: 42, failed: 3 }, 6: { sent: 51 }, 7: { sent: 80 } });
  await expect.element(counts).toHaveTextContent('Total projects1');
  await expect.element(counts).toHaveTextContent('Active connections11 of 3 phones in rotation');
  await expect.element(counts).toHaveTextContent('Sent today4942 delivered, 3 failed');
  await expect.element(counts).toHaveTextContent('Sent in 7 days10025% more than the 7 days before');
});

test.each<[string, Parameters<typeof sampleDays>[0], string]>([
  ['fewer', { 0: { sent: 7 }, 8: { sent: 8 } }, '712.5% fewer than the 7 days before'],
  ['as many', { 0: { sent: 8 }, 8: { sent: 8 } }, '8Like the 7 days before'],
  ['none before', { 0: { sent: 8 } }, '8None in the 7 days before'],
  ['none', {}, '0No messages yet'],
])('compares a week with the one before: %s', async (_name, days, text) => {
  open(days);
  await expect.element(counts).toHaveTextContent(`Sent in 7 days${text}`);
});
