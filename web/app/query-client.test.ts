import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '#web/shared/api-error.ts';
import { queryClient } from './query-client.ts';

test('a load that the server fails at is tried three times, and given up within two seconds', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const load = vi.fn(() => Promise.reject(new ApiError(500, { code: 'internal', message: '' })));
  const failed = vi.fn();
  void queryClient.fetchQuery({ queryKey: ['broken'], queryFn: load }).catch(failed);
  await vi.advanceTimersByTimeAsync(2000);
  expect(load).toHaveBeenCalledTimes(3);
  expect(failed).toHaveBeenCalledOnce();
});
