import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { Filters } from './filters.tsx';

test('the filters stand in one row whatever typeface has arrived, so that nothing moves when it does', async () => {
  await page.viewport(1440, 900);
  // The typeface that stands in is wider; the card of the page is as wide as this.
  render(
    <div style={{ width: 1134, letterSpacing: '1px' }}>
      <Filters search={{}} onChange={() => undefined} />
    </div>,
  );
  const bar = page.getByRole('search', { name: 'Messages' });
  await expect.element(bar).toBeVisible();
  expect(new Set([...bar.element().children].map((child) => child.getBoundingClientRect().top)).size).toBe(1);
});
