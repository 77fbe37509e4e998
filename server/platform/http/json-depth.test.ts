import { describe, expect, test } from 'vitest';
import { isDeeperThan } from './json-depth.ts';

describe('the depth of a JSON text', () => {
  test.each<[string, string, number]>([
    ['a number', '1', 0],
    ['an empty array', '[]', 1],
    ['arrays side by side', '[[],[],{}]', 2],
    ['objects in one another', '{"a":{"b":{"c":1}}}', 3],
    ['brackets in a string', '["[[[{{{"]', 1],
    ['an escaped quote before brackets', '["\\"[[["]', 1],
    ['an escaped backslash before the closing quote', '["\\\\",[[]]]', 3],
    ['brackets in a name', '{"[[":[]}', 2],
    ['a string without an end', '["[[[', 1],
    ['brackets without an end', '[[[', 3],
  ])('%s', (_name, json, depth) => {
    expect(isDeeperThan(json, depth)).toBe(false);
    if (depth > 0) expect(isDeeperThan(json, depth - 1)).toBe(true);
  });
});
