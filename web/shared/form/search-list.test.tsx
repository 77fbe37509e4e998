import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { SearchList } from './search-list.tsx';

test('Enter submits no form around the list, also where nothing is found', async () => {
  const submitted: string[] = [];
  const chosen: string[] = [];
  const listed = (options: string[]) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submitted.push('form');
      }}
    >
      <SearchList
        label="Segments"
        search=""
        onSearch={() => undefined}
        options={options.map((value) => ({ value, label: value }))}
        chosen={[]}
        onChoose={({ value }) => chosen.push(value)}
      />
      <button type="submit">Save</button>
    </form>
  );
  render(
    <>
      <div data-testid="empty">{listed([])}</div>
      <div data-testid="full">{listed(['Lisbon'])}</div>
    </>,
  );
  for (const place of ['empty', 'full']) {
    await page.getByTestId(place).getByRole('combobox').click();
    await userEvent.keyboard('{Enter}');
  }
  await expect.poll(() => chosen).toEqual(['Lisbon']);
  expect(submitted).toEqual([]);
});
