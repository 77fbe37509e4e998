import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from '#contracts/live.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { createLiveEventApplier } from './apply-live-event.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first news refreshes at once, a stream of it together and seldom', () => {
  const queryClient = new QueryClient();
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  const askedFor = () => invalidate.mock.calls.filter(([filters]) => filters?.queryKey === queryKeys.projects).length;
  const live = createLiveEventApplier(queryClient);
  for (let count = 0; count < 50; count += 1) live.apply({ type: 'projects.changed', project_id: 7 });
  expect(askedFor()).toBe(1);
  vi.advanceTimersByTime(500);
  expect(askedFor()).toBe(2);
  vi.advanceTimersByTime(5_000);
  expect(askedFor()).toBe(2);
  live.apply({ type: 'projects.changed', project_id: 7 });
  expect(askedFor()).toBe(3);
  live.stop();
});

test('news that come amid a first load are asked for once it is there', async () => {
  const queryClient = new QueryClient();
  const answers: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: queryKeys.projects,
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const leave = observer.subscribe(() => undefined);
  const live = createLiveEventApplier(queryClient);
  live.apply({ type: 'projects.changed', project_id: 7 });
  expect(answers).toHaveLength(1);
  answers[0]?.('before the change');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('after it');
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after it'));
  leave();
  live.stop();
});

test('news of a kind that a later release has change nothing, and the next ones count', () => {
  const queryClient = new QueryClient();
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  const live = createLiveEventApplier(queryClient);
  live.apply({ type: 'moons.changed' } as unknown as LiveEvent);
  expect(invalidate).not.toHaveBeenCalled();
  live.apply({ type: 'projects.changed', project_id: 7 });
  expect(invalidate).toHaveBeenCalledOnce();
  live.stop();
});
