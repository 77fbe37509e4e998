import { expect, test } from 'vitest';
import { isOwnPath } from './return-path.ts';

test.each(['/', '/campaigns?status=failed', '/projects/3#messages', '/loginish'])(
  '%s is a page to come back to',
  (path) => {
    expect(isOwnPath(path)).toBe(true);
  },
);

test.each([
  '//evil.example/x',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  '/login',
  '/signup?a=b',
])('%s is none', (path) => {
  expect(isOwnPath(path)).toBe(false);
});
