import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { sampleMessage } from '#web/testing/samples.ts';
import { ThreadLog } from './thread-log.tsx';
import type { ThreadRow } from './thread-rows.ts';

beforeEach(() => page.viewport(800, 700));

const rowsOf = (count: number): ThreadRow[] =>
  Array.from({ length: count }, (_, index) => {
    const id = count - index;
    return {
      key: String(id),
      day: undefined,
      kind: 'message',
      message: sampleMessage({ id, message: `Message ${id}` }),
    };
  });

const log = page.getByRole('log');

function show(rows: readonly ThreadRow[], onOlder = () => undefined, hasOlder = false) {
  render(
    <div className="flex h-150 flex-col">
      <ThreadLog
        label="Messages"
        rows={rows}
        hasOlder={hasOlder}
        isLoadingOlder={false}
        olderError={undefined}
        onOlder={onOlder}
        onAtNewest={() => undefined}
        renderRow={(row) => <p className="h-10">{row.kind === 'message' && row.message.message}</p>}
      />
    </div>,
  );
}

test('a hundred thousand messages begin at the newest, and only those in sight are in the page', async () => {
  show(rowsOf(100_000));
  await expect.element(log.getByText('Message 100000', { exact: true })).toBeInViewport();
  expect(log.element().querySelectorAll('[data-index]').length).toBeLessThan(60);
  log.element().scrollTo({ top: -1_000_000 });
  await expect.poll(() => log.element().querySelectorAll('[data-index]').length).toBeGreaterThan(5);
  await expect.element(log.getByText('Message 100000', { exact: true })).not.toBeInTheDocument();
  expect(log.element().querySelectorAll('[data-index]').length).toBeLessThan(60);
  await page.getByRole('button', { name: 'Newest' }).click();
  await expect.element(log.getByText('Message 100000', { exact: true })).toBeInViewport();
});

test('older messages are asked for before the oldest known is reached', async () => {
  let asked = 0;
  show(rowsOf(200), () => void (asked += 1), true);
  await expect.element(log.getByText('Message 200', { exact: true })).toBeInViewport();
  expect(asked).toBe(0);
  log.element().scrollTo({ top: -log.element().scrollHeight });
  await expect.poll(() => asked).toBeGreaterThan(0);
});

test('screen readers meet the oldest of what is shown first', async () => {
  show(rowsOf(4));
  await expect.element(log.getByText('Message 4', { exact: true })).toBeVisible();
  expect(log.element().textContent).toBe('Message 1Message 2Message 3Message 4');
});
