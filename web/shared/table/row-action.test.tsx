import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { RowAction, RowActions } from './row-action.tsx';

const run = page.getByRole('button', { name: 'Run Germany' });

test('a double click on an action of a row asks the server once, however soon the answer is there', async () => {
  const asked: string[] = [];
  function Row() {
    const [busy, setBusy] = useState(false);
    async function ask(): Promise<void> {
      asked.push('run');
      setBusy(true);
      await Promise.resolve();
      setBusy(false);
    }
    return (
      <RowActions>
        <RowAction label="Run" subject="Germany" icon={null} busy={busy} onClick={() => void ask()} />
      </RowActions>
    );
  }
  render(<Row />);
  await run.dblClick();
  expect(asked).toEqual(['run']);
});
