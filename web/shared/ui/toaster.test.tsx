import { useState } from 'react';
import { flushSync } from 'react-dom';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { Dialog, DialogFooter } from './dialog.tsx';
import { dismissToast, getToasts, notify } from './toast-store.ts';

const shown = () => [...document.querySelectorAll('[data-toast]')].map((toast) => toast.textContent);

afterEach(() => {
  for (const { id } of getToasts()) dismissToast(id);
});

test('never has more than three in the page, the newest on top', async () => {
  render(null);
  const counts: number[] = [];
  const observer = new MutationObserver(() => counts.push(shown().length));
  observer.observe(document.body, { childList: true, subtree: true });
  for (const text of ['one', 'two', 'three', 'four']) {
    notify.success(text);
    await expect.element(page.getByText(text, { exact: true })).toBeVisible();
  }
  observer.disconnect();
  expect(shown()).toEqual(['four', 'three', 'two']);
  expect(Math.max(...counts)).toBe(3);
});

test('goes away by itself', async () => {
  render(null);
  notify.success('Saved', { durationMs: 50 });
  await expect.element(page.getByText('Saved')).toBeVisible();
  await expect.element(page.getByText('Saved')).not.toBeInTheDocument();
});

test('announces failures at once, and can be dismissed', async () => {
  render(null);
  notify.error('Failed to save');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to save');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('offers what can still be done about it, once', async () => {
  render(null);
  let undone = 0;
  notify.success('Ada is done', { action: { label: 'Undo', onSelect: () => (undone += 1) } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByText('Ada is done')).not.toBeInTheDocument();
  expect(undone).toBe(1);
});

test.each(['pointer', 'keyboard'] as const)('a toast that was dismissed by %s holds up no other', async (way) => {
  render(null);
  notify.success('Ada is done', { action: { label: 'Undo', onSelect: () => undefined } });
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect.element(undo).toBeVisible();
  if (way === 'pointer') await undo.click();
  else {
    (undo.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  }
  await expect.element(page.getByText('Ada is done')).not.toBeInTheDocument();
  // The next one stands in its place, where a pointer that stays would hold it.
  await userEvent.hover(document.body, { position: { x: 5, y: 5 } });
  notify.success('Saved', { durationMs: 50 });
  await expect.element(page.getByText('Saved')).toBeVisible();
  await expect.element(page.getByText('Saved')).not.toBeInTheDocument();
});

test('lies over no button', async () => {
  const corner = { position: 'fixed', right: 0, bottom: 0, width: 300, height: 90 } as const;
  render(
    <button type="button" style={corner}>
      Next step
    </button>,
  );
  const next = page.getByRole('button', { name: 'Next step' });
  await expect.element(next).toBeVisible();
  for (const text of ['One', 'Two', 'Three', 'Four']) notify.success(text);
  await expect.element(page.getByText('Four')).toBeVisible();
  const button = next.element().getBoundingClientRect();
  const toasts = [...document.querySelectorAll('[data-toast]')].map((toast) => toast.getBoundingClientRect());
  expect(toasts).toHaveLength(3);
  const covering = toasts.filter(
    (toast) =>
      toast.left < button.right && toast.right > button.left && toast.top < button.bottom && toast.bottom > button.top,
  );
  expect(covering).toEqual([]);
});

function Review() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Review
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="To many" size="page">
        <div className="grow" />
        <DialogFooter>
          <button type="button">Back</button>
          <button type="button">Send to 12</button>
        </DialogFooter>
      </Dialog>
    </>
  );
}

const overlap = (a: DOMRect, b: DOMRect) =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

const widths = [390, 768, 1280];

test.each(widths)('makes way for the buttons of a dialog that opens beneath it, %d px wide', async (width) => {
  await page.viewport(width, 800);
  render(<Review />);
  const review = page.getByRole('button', { name: 'Review' });
  await expect.element(review).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  flushSync(() => notify.success('Loaded 12 rows', { durationMs: 60_000 }));
  // By then it has found its place.
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  await review.click();
  await expect.element(page.getByRole('button', { name: 'Send to 12' })).toBeVisible();
  expect(shown()).toEqual(['Loaded 12 rows']);
  const covered = () => {
    const toast = document.querySelector('[data-toast]')?.getBoundingClientRect();
    const buttons = [...document.querySelectorAll('[role="dialog"] button')];
    return buttons.filter((button) => toast === undefined || overlap(toast, button.getBoundingClientRect())).length;
  };
  await expect.poll(covered).toBe(0);
});

test('a pointer that moves on a toast holds it; resting where it appears does not', async () => {
  render(null);
  await expect.element(page.getByRole('region', { name: 'Notifications' })).toBeInTheDocument();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  flushSync(() => notify.success('Rested on', { durationMs: 5000 }));
  const resting = new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' });
  flushSync(() => document.querySelector('[data-toast]')?.dispatchEvent(resting));
  vi.advanceTimersByTime(5000);
  expect(getToasts()).toEqual([]);
  flushSync(() => notify.success('Read', { durationMs: 5000 }));
  await userEvent.hover(page.getByText('Read'));
  vi.advanceTimersByTime(5000);
  expect(getToasts()).toHaveLength(1);
});
