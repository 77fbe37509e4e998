import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sampleReport } from '#web/testing/samples.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { CostCard } from './cost-card.tsx';
import { FailuresCard } from './failures-card.tsx';
import { Funnel } from './funnel.tsx';
import { LinksCard } from './links-card.tsx';
import { OptOutsCard } from './opt-outs-card.tsx';
import { OverTimeCard } from './over-time-card.tsx';
import { FunnelSkeleton, OptOutsSkeleton, OverTimeSkeleton } from './report-skeleton.tsx';

const report = sampleReport();

test('the funnel says how many and what share of those sent to came how far', async () => {
  const { page: element, address } = inRouter(<Funnel report={report} />, '/campaigns/4?page=2');
  render(element);
  const region = page.getByRole('region', { name: 'What became of it' });
  await expect
    .element(region.getByRole('list').nth(0))
    .toHaveTextContent('Sent 8,291+Failed 121+Skipped 64+Waiting 0= 8,476');
  const steps = region.getByRole('list').nth(1).getByRole('listitem');
  await expect.element(steps.nth(0)).toHaveTextContent('Sent100%8,291 sent, show them121 failed');
  await expect.element(steps.nth(1)).toHaveTextContent('Delivered96.2%7,978 delivered, show them313 not delivered yet');
  await expect.element(steps.nth(2)).toHaveTextContent('Read74.1%6,142 read, show them1,836 delivered, not read');
  await expect.element(steps.nth(3)).toHaveTextContent('Replied10.8%893 replied, show them37 more opted out');
  await steps.nth(3).getByRole('link', { name: '893 replied, show them' }).click();
  await expect.poll(address).toBe('/campaigns/4?status=replied#entries');
  await expect.element(steps.nth(3).getByRole('link')).toHaveAttribute('aria-current');
  await region.getByRole('button', { name: 'delivered' }).click();
  await expect.element(steps.nth(3)).toHaveTextContent('Replied11.2%');
});

test('a short run is told minute by minute, with its pauses and limits', async () => {
  const byMinute = {
    step_minutes: 1,
    starts_at: '2026-11-17T09:10:00.000Z',
    ends_at: '2026-11-17T09:20:00.000Z',
    spans: [{ at: '2026-11-17T09:10:00.000Z', sent: 60, failed: 2, delivered: 50, read: 7, replied: 0 }],
  };
  const holds = [
    { kind: 'paused' as const, began_at: '2026-11-17T09:12:00.000Z', ended_at: '2026-11-17T09:15:00.000Z' },
    { kind: 'daily_limit' as const, began_at: '2026-11-17T09:18:00.000Z', ended_at: null },
  ];
  render(<OverTimeCard report={{ ...report, by_minute: byMinute, holds }} />);
  await expect.element(page.getByRole('button', { name: 'Per minute' })).toHaveAttribute('aria-pressed', 'true');
  await expect
    .element(page.getByRole('img', { name: /60 sent, 2 failed, 7 read\. Paused .+ to .+\. Daily limit .+ to now\.$/ }))
    .toBeVisible();
  await page.getByRole('button', { name: 'Total' }).click();
  await expect.element(page.getByRole('img', { name: /sent 8291/ })).toBeVisible();
});

test('the lines are told in words, too', async () => {
  render(<OverTimeCard report={report} />);
  await expect
    .element(page.getByRole('img', { name: /sent 8291, delivered 7978, read 6142, replied 893\.$/ }))
    .toBeInTheDocument();
});

test.each([1280, 390])('the placeholder of a loading report is as high as the report, %i wide', async (width) => {
  await page.viewport(width, 800);
  const none = { ...report, opted_out: 0 };
  render(
    inRouter(
      <>
        <div data-testid="loading">
          <FunnelSkeleton />
        </div>
        <div data-testid="loading">
          <OverTimeSkeleton />
        </div>
        <div data-testid="loading">
          <OptOutsSkeleton />
        </div>
        <div data-testid="loaded">
          <Funnel report={none} />
        </div>
        <div data-testid="loaded">
          <OverTimeCard report={none} />
        </div>
        <div data-testid="loaded">
          <OptOutsCard report={none} />
        </div>
      </>,
      '/campaigns/4',
    ).page,
  );
  await expect.element(page.getByRole('heading', { name: 'Opt-outs' })).toBeVisible();
  const heights = (id: string) =>
    page
      .getByTestId(id)
      .elements()
      .map((each) => Math.round(each.clientHeight / 8));
  expect(heights('loaded')).toEqual(heights('loading'));
});

test('failures are listed by reason, and those that may go better can be tried again', async () => {
  let retries = 0;
  render(inRouter(<FailuresCard report={report} onRetry={() => (retries += 1)} />).page);
  await expect.element(page.getByRole('heading', { name: '121 failed, 64 skipped' })).toBeVisible();
  await expect.element(page.getByText('41 can be sent again')).toBeVisible();
  await page.getByRole('button', { name: 'Retry failed (41)' }).click();
  expect(retries).toBe(1);
  await expect.element(page.getByText('WhatsApp refused the message')).toBeVisible();
  await expect.element(page.getByText('Can be retried')).toBeVisible();
});

test('each reason leads to its people, and each link to those who opened it', async () => {
  const links = [{ url: 'https://shop.example.com/a?b=1', clicked: 12 }];
  const { page: element, address } = inRouter(
    <>
      <FailuresCard report={report} />
      <LinksCard report={{ ...report, clicked: 12, links }} />
    </>,
    '/campaigns/4',
  );
  render(element);
  const search = () => new URL(address(), 'http://app').searchParams;
  await page.getByRole('link', { name: 'WhatsApp refused the message' }).click();
  await expect.poll(() => search().get('reason')).toBe('WhatsApp refused the message');
  expect([search().get('status'), search().get('error_code')]).toEqual(['failed', 'network_refused']);
  await page.getByRole('link', { name: '12 opened it, show them' }).click();
  await expect.poll(() => search().get('link')).toBe('https://shop.example.com/a?b=1');
  expect(search().get('reason')).toBeNull();
});

test('recipients who opted out after it are counted, and the count leads to the list', async () => {
  const { page: element, address } = inRouter(<OptOutsCard report={report} />);
  render(element);
  await expect.element(page.getByText(/^37 .*people, 0\.5% of those who got it\./)).toBeVisible();
  await page.getByRole('link', { name: '37 opted out, show them' }).click();
  await expect.poll(address).toBe('/?status=opted_out#entries');
  await page.getByRole('link', { name: 'All who opted out' }).click();
  expect(address()).toBe('/settings/opt-out');
});

test('the cost is told with its lines and what has no price, and nothing where Meta counted none', async () => {
  const eur = (amount: string) => ({ currency: 'EUR', amount });
  const cost = {
    amounts: [eur('0.085')],
    unpriced: 2,
    lines: [
      { country: 'PT', category: 'utility', count: 5, price: eur('0.017') },
      { country: null, category: 'marketing_lite', count: 2, price: null },
    ],
  };
  render(inRouter(<CostCard report={{ ...report, cost }} />).page);
  const region = page.getByRole('region', { name: 'Money' });
  await expect.element(region).toHaveTextContent('EUR 0.0852 without a known price');
  const lines = region.getByRole('listitem');
  await expect.element(lines.nth(0)).toHaveTextContent('Portugal · utility5 at EUR 0.017');
  await expect.element(lines.nth(1)).toHaveTextContent('Country not known · marketing lite2 no price known');
});
