import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { ProductGlance } from './product-glance.tsx';

test('the request beside sign-in names all that the API asks for: key, content type, recipient, message', async () => {
  await page.viewport(1280, 900);
  render(<ProductGlance />);
  await expect.element(page.getByRole('complementary', { name: 'About Dovepost' })).toBeVisible();
  expect(document.querySelector('pre')?.textContent.split('\n')).toEqual([
    "await fetch('/api/send-message', {",
    "  method: 'POST',",
    '  headers: {',
    "    'x-auth-key': key,",
    "    'content-type': 'application/json',",
    '  },',
    '  body: JSON.stringify({',
    "    to: '14155550132',",
    "    message: 'Your order is on its way',",
    '  }),',
    '})',
  ]);
});
