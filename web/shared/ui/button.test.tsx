import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { Button } from './button.tsx';

test('a double click asks the server once, and steps a page twice', async () => {
  const presses: string[] = [];
  render(
    <>
      <Button busy={false} onClick={() => presses.push('send')}>
        Send
      </Button>
      <Button onClick={() => presses.push('next')}>Next</Button>
    </>,
  );
  await page.getByRole('button', { name: 'Send' }).dblClick();
  expect(presses).toEqual(['send']);
  await page.getByRole('button', { name: 'Next' }).dblClick();
  expect(presses).toEqual(['send', 'next', 'next']);
});

test('a double click submits a form once', async () => {
  let submits = 0;
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submits += 1;
      }}
    >
      <Button type="submit" busy={false}>
        Save
      </Button>
    </form>,
  );
  await page.getByRole('button', { name: 'Save' }).dblClick();
  expect(submits).toBe(1);
});
