import { expect, test } from 'vitest';
import { findExcess } from './json-shape.ts';

test.each<[string, string, number, number]>([
  ['a number', '1', 0, 1],
  ['an empty array', '[ ]', 1, 1],
  ['arrays side by side', '[[],[],{}]', 2, 4],
  ['objects in one another', '{"a":{"b":{"c":1}}}', 3, 4],
  ['names beside each other', '{"a":1, "b":[2, 3], "c":null}', 2, 6],
  ['brackets and commas in a string', '["[[[,,,{{{"]', 1, 2],
  ['an escaped quote before brackets', '["\\"[[["]', 1, 2],
  ['an escaped backslash before the closing quote', '["\\\\",[[]]]', 3, 4],
  ['brackets in a name', '{"[[":[]}', 2, 2],
  ['a string without an end', '["[[[', 1, 2],
  ['brackets without an end', '[[[', 3, 3],
])('the depth and the number of values of %s', (_name, json, depth, values) => {
  expect(findExcess(json, { maxDepth: depth, maxValues: values })).toBeUndefined();
  if (depth > 0) expect(findExcess(json, { maxDepth: depth - 1, maxValues: values })).toBe('depth');
  expect(findExcess(json, { maxDepth: depth, maxValues: values - 1 })).toBe('values');
});
