import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Combobox } from '../form/combobox.tsx';
import { render } from '#web/testing/render.tsx';
import { steppedIndex } from './listbox-keys.ts';

test.each([
  [-1, 1, 0],
  [0, 1, 1],
  [2, 1, 0],
  [0, -1, 2],
  [-1, -1, 2],
] as const)('from %i a step of %i leads to %i of three', (index, step, next) => {
  expect(steppedIndex(index, step, 3)).toBe(next);
});

function Example() {
  const [value, setValue] = useState('');
  return (
    <Combobox
      aria-label="Plan"
      value={value}
      onChange={setValue}
      suggestions={[{ value: 'Pro' }, { value: 'Trial' }]}
      suggestionsLabel="Plans"
    />
  );
}

test('keys of an input method that composes choose nothing', async () => {
  render(<Example />);
  const field = page.getByRole('combobox', { name: 'Plan' });
  await field.click();
  await expect.element(page.getByRole('listbox', { name: 'Plans' })).toBeVisible();
  const press = (key: string, isComposing: boolean) =>
    field.element().dispatchEvent(new KeyboardEvent('keydown', { key, isComposing, bubbles: true, cancelable: true }));
  expect(press('ArrowDown', true)).toBe(true);
  await expect.element(page.getByRole('option', { selected: true })).not.toBeInTheDocument();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(field).toHaveValue('Pro');
});
