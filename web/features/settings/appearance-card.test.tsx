import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { chooseTheme } from '#web/shared/theme.ts';
import { render } from '#web/testing/render.tsx';
import { AppearanceCard } from './appearance-card.tsx';

afterEach(() => chooseTheme('system'));

test('the theme that is chosen is shown at once, and follows a choice made elsewhere', async () => {
  render(<AppearanceCard />);
  await expect.element(page.getByRole('radio', { name: 'As the system' })).toBeChecked();
  await page.getByText('Dark').click();
  await expect.element(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect(document.documentElement.dataset['theme']).toBe('dark');
  chooseTheme('light');
  await expect.element(page.getByRole('radio', { name: 'Light' })).toBeChecked();
});
