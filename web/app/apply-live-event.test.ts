import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
