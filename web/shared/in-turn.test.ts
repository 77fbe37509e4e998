import { expect, test } from 'vitest';
import { inTurn } from './in-turn.ts';

test('begins one work after the other, a failed one too', async () => {
  const first = Promise.withResolvers<string>();
  const begun: string[] = [];
  const one = inTurn(() => {
    begun.push('one');
    return first.promise;
  });
  const two = inTurn(() => {
    begun.push('two');
    return Promise.resolve('second');
  });
  await expect.poll(() => begun).toEqual(['one']);
  first.reject(new Error('refused'));
  await expect(one).rejects.toThrow('refused');
  expect(await two).toBe('second');
  expect(begun).toEqual(['one', 'two']);
});
