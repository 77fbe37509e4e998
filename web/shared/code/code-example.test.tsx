import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { CodeExample } from './code-example.tsx';

test('a key in the code is covered until asked for, and copied with the rest', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => copied.mockRestore());
  const code = "curl -H 'x-auth-key: dpa_0123456789'";
  render(
    <CodeExample
      label="API usage"
      samples={[{ language: 'curl', code }]}
      secret={{ value: 'dpa_0123456789', label: 'auth key' }}
    />,
  );
  const shown = page.getByRole('region', { name: 'API usage' });
  await expect.element(shown).toHaveTextContent('x-auth-key: dpa_••••');
  await expect.element(shown).not.toHaveTextContent('0123456789');
  await page.getByRole('button', { name: 'Copy' }).click();
  expect(copied).toHaveBeenCalledWith(code);
  await page.getByRole('button', { name: 'Show auth key in API usage' }).click();
  await expect.element(shown).toHaveTextContent('dpa_0123456789');
});
