import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Campaign } from '#contracts/campaigns.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleCampaign } from '#web/testing/samples.ts';
import { CampaignDelay, ProgressCard } from './progress-card.tsx';

function open(changes: Partial<Campaign> = {}): { address: () => string } {
  const campaign = sampleCampaign(changes);
  const { page: element, address } = inRouter(
    <main>
      <CampaignDelay campaign={campaign} />
      <ProgressCard campaign={campaign} />
    </main>,
  );
  render(element);
  return { address };
}

const card = page.getByRole('region', { name: 'Progress' });

test('shows how far it has come, with a way to its messages', async () => {
  const { address } = open({ total_count: 1_284_000, sent_count: 642_000, waiting_count: 641_997 });
  await expect.element(card).toHaveTextContent('Total 1,284,000Sent 642,000Failed 1Skipped 2Waiting 641,99750% sent');
  await expect
    .element(card.getByRole('progressbar', { name: 'Progress of Installed follow-up' }))
    .toHaveAttribute('aria-valuenow', '50');
  await expect.element(card.getByRole('status')).toHaveTextContent('Running, 50% sent.');
  await page.getByRole('link', { name: 'View messages' }).click();
  expect(address()).toBe('/projects/3?campaign=4#messages');
});

test.each<[Partial<Campaign>, string]>([
  [{ waiting_for: 'no_connected_phone' }, 'Waiting for a connected phoneIt goes on by itself as soon as a phone'],
  [{ waiting_for: 'daily_limit' }, 'Waiting for tomorrow: the daily limit is reachedEvery connected phone'],
  [{ waiting_for: 'subscription' }, 'Waiting for an active subscriptionIt goes on by itself'],
  [{ waiting_for: 'phone_allowance' }, 'Waiting: today’s allowance is used upTo protect the number'],
  [
    { waiting_for: 'phone_night', waiting_until: '2099-01-15T09:00:00.000Z' },
    'Waiting for the morningIt is night where these people live, and they never wrote to this number. It goes on by itself about 15 Jan 2099',
  ],
  [{ status: 'failed', error: 'The segment was deleted' }, 'The campaign failedThe segment was deleted'],
  [{ duration: 90 }, 'Spread over90 minutes'],
  [{ duration: 60 }, 'Spread over1 hour'],
  [{ duration: 1440 }, 'Spread over24 hours'],
  [{ duration: 43_200 }, 'Spread over30 days'],
  [{ started_at: null, status: 'scheduled', when: '2099-01-15T09:00:00.000Z' }, 'Starts15 Jan 2099'],
  [{ started_at: null, status: 'cancelled', when: '2099-01-15T09:00:00.000Z' }, 'Was to start15 Jan 2099'],
])('of %j it says %s', async (changes, text) => {
  open(changes);
  await expect.element(page.getByRole('main')).toHaveTextContent(text);
});

test('leads to the phones where they are what it waits for', async () => {
  const { address } = open({ waiting_for: 'daily_limit' });
  await page.getByRole('link', { name: 'Phone Numbers' }).click();
  expect(address()).toBe('/projects/3/phone-numbers');
});
