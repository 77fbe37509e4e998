import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { SearchInput } from './search-input.tsx';

const field = page.getByRole('searchbox', { name: 'Search people' });

test('a text that is typed while a search is on its way stays, and is searched for in turn', async () => {
  const asked: string[] = [];
  function Example() {
    const [value, setValue] = useState('');
    return (
      <>
        <SearchInput label="Search people" value={value} onSearch={(text) => asked.push(text)} />
        <button type="button" onClick={() => setValue(asked.at(-1) ?? '')}>
          Arrive
        </button>
        <button type="button" onClick={() => setValue('')}>
          Back
        </button>
      </>
    );
  }
  render(<Example />);
  await field.fill('ad');
  await expect.poll(() => asked).toEqual(['ad']);
  await userEvent.keyboard('a');
  const press = (name: string) => (page.getByRole('button', { name }).element() as HTMLElement).click();
  press('Arrive');
  await expect.element(field).toHaveValue('ada');
  await expect.poll(() => asked).toEqual(['ad', 'ada']);
  press('Arrive');
  await expect.element(field).toHaveValue('ada');
  press('Back');
  await expect.element(field).toHaveValue('');
});
