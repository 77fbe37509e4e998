import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import { render } from '#web/testing/render.tsx';
import { useZodForm } from '../use-zod-form.ts';
import { DateInput } from './date-input.tsx';
import { DateTimeField } from './date-time-field.tsx';

const days: string[] = [];

function Shown({ value: begun = '' }: { value?: string }) {
  const [value, setValue] = useState(begun);
  return (
    <DateInput
      aria-label="From day"
      value={value}
      onChange={(day) => {
        days.push(day);
        setValue(day);
      }}
    />
  );
}

const field = page.getByRole('textbox', { name: 'From day' });

test('a typed day is read back while it is typed, and then shown with the month in letters', async () => {
  render(<Shown />);
  await field.fill('2026-03-04');
  await expect.element(field).toHaveAccessibleDescription(/^Wednesday,? 4 March 2026$/);
  expect(days.at(-1)).toBe('2026-03-04');
  await userEvent.tab();
  await expect.element(field).toHaveValue('4 Mar 2026');
});

test('a text that is no day is not passed on, and said so', async () => {
  render(<Shown value="2026-03-04" />);
  await field.fill('31 Feb 2026');
  await userEvent.tab();
  expect(days.at(-1)).toBe('');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveAccessibleDescription(/^Not a day: try \d/);
});

test('the calendar is walked by keys, and Escape leaves the day as it was', async () => {
  render(<Shown value="2026-01-31" />);
  await field.click();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.element(page.getByRole('button', { name: /31 January 2026/ })).toHaveFocus();
  await userEvent.keyboard('{PageDown}');
  await expect.element(page.getByRole('grid', { name: 'February 2026' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /28 February 2026/ })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{ArrowDown}{Enter}');
  await expect.element(field).toHaveValue('8 Mar 2026');
  await expect.element(page.getByRole('grid')).not.toBeInTheDocument();
  await page.getByRole('button', { name: /^Choose from a calendar/ }).click();
  await userEvent.keyboard('{ArrowRight}{Escape}');
  await expect.element(field).toHaveValue('8 Mar 2026');
});

test('a day and a time make one value, pasted or typed', async () => {
  const values: string[] = [];
  function Form() {
    const form = useZodForm(z.object({ when: z.string() }), { when: '' });
    values.push(form.watch('when'));
    return <DateTimeField form={form} name="when" label="Date and time" />;
  }
  render(<Form />);
  const day = page.getByRole('textbox', { name: 'Date and time' });
  const time = page.getByRole('textbox', { name: 'Time', exact: true });
  await day.fill('2099-01-15T09:00');
  await expect.element(time).toHaveValue('09:00');
  await expect.poll(() => values.at(-1)).toBe('2099-01-15T09:00');
  await time.fill('2.15 pm');
  await expect.poll(() => values.at(-1)).toBe('2099-01-15T14:15');
  await userEvent.tab();
  await expect.element(time).toHaveValue('14:15');
  await time.fill('');
  await expect.poll(() => values.at(-1)).toBe('');
});
