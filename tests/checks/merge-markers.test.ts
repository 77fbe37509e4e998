import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const marker = /^(<{7} |={7}$|>{7} )/m;

test('no file holds the markers of a merge', () => {
  const paths = globSync('{contracts,docs,scripts,sdk,server,tests,web}/**/*.{ts,tsx,css,md,json,txt}');
  expect(paths.length).toBeGreaterThan(1000);
  expect(paths.filter((path) => marker.test(readFileSync(path, 'utf8')))).toEqual([]);
  expect(marker.test('select 1\n<<<<<<< HEAD\n')).toBe(true);
});
