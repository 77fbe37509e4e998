import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decideAfterClose } from './after-close.ts';
import { lifeRules } from './phone-life.ts';

const now = new Date('2026-05-01T10:00:00Z');
const end = { message: '', isLinked: true, repeats: 1, now };

test.each([
  [401, { next: 'end', status: 'auth_failed', forgetsCredentials: true }],
  [402, { next: 'wait' }],
  [403, { next: 'end', status: 'banned', forgetsCredentials: false }],
  [405, { next: 'reconnect', delay: 'backoff', event: 'version_refused' }],
  [406, { next: 'end', status: 'banned', forgetsCredentials: false }],
  [408, { next: 'reconnect', delay: 'backoff' }],
  [409, { next: 'end', status: 'disconnected', forgetsCredentials: false }],
  [411, { next: 'end', status: 'auth_failed', forgetsCredentials: false }],
  [428, { next: 'reconnect', delay: 'backoff' }],
  [440, { next: 'reconnect', delay: 'backoff' }],
  [500, { next: 'reconnect', delay: 'backoff' }],
  [503, { next: 'reconnect', delay: 'backoff' }],
  [515, { next: 'reconnect', delay: 'none' }],
  [418, { next: 'reconnect', delay: 'backoff' }],
  [501, { next: 'reconnect', delay: 'backoff' }],
  [0, { next: 'reconnect', delay: 'backoff' }],
])('code %i of a linked phone', (code, expected) => {
  expect(decideAfterClose({ ...end, code })).toMatchObject(expected);
});

test.each([500, 503, 0, 428, 408, 405])('a linked phone tries again after code %i however often it comes', (code) => {
  expect(decideAfterClose({ ...end, code, repeats: 1_000 }).next).toBe('reconnect');
});

test('pairing that fails three times ends the link that never was', () => {
  const failed = { ...end, code: 500, isLinked: false };
  expect(decideAfterClose({ ...failed, repeats: 2 }).next).toBe('reconnect');
  expect(decideAfterClose({ ...failed, repeats: 3 })).toMatchObject({
    status: 'auth_failed',
    forgetsCredentials: false,
  });
});

test('two that replace each other in turn do not go on for ever', () => {
  expect(decideAfterClose({ ...end, code: 440, repeats: 4 }).next).toBe('reconnect');
  expect(decideAfterClose({ ...end, code: 440, repeats: 5 })).toMatchObject({ next: 'end', status: 'disconnected' });
});

test('QR codes that ran out end a link, but never a linked phone', () => {
  const message = 'QR refs attempts ended';
  expect(decideAfterClose({ ...end, code: 408, message, isLinked: false })).toMatchObject({ status: 'disconnected' });
  expect(decideAfterClose({ ...end, code: 408, message }).next).toBe('reconnect');
});

describe('an account that is locked for a time', () => {
  test.each([
    [{ expire: '3600', code: '101' }, '2026-05-01T11:00:00.000Z', 'because it wrote to too many people'],
    [{ expire: '60' }, '2026-05-01T10:01:00.000Z', 'until 2026-05-01 10:01 UTC.'],
    [{}, '2026-05-01T11:00:00.000Z', 'until 2026-05-01 11:00 UTC.'],
    [{ expire: '1e300' }, '2026-05-31T10:00:00.000Z', 'until 2026-05-31 10:00 UTC.'],
    [undefined, '2026-05-01T11:00:00.000Z', 'until 2026-05-01 11:00 UTC.'],
  ])('%j', (data, until, words) => {
    const after = decideAfterClose({ ...end, code: 402, data });
    expect(after).toEqual({ next: 'wait', until: new Date(until), reason: expect.stringContaining(words) as string });
  });
});

describe('the table', () => {
  test('credentials are deleted in one case alone', () => {
    const deleting = Object.entries(lifeRules).filter(([, { credentials }]) => credentials === 'deleted');
    expect(deleting.map(([event]) => event)).toEqual(['logged_out']);
  });

  test('no code stands for two events', () => {
    const codes = Object.values(lifeRules).flatMap((rule) => ('codes' in rule ? [...rule.codes] : []));
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('docs/phone-states.md shows every row as it is', () => {
    const page = readFileSync(new URL('../../../../docs/phone-states.md', import.meta.url), 'utf8');
    for (const rule of Object.values(lifeRules)) {
      const codes = 'codes' in rule ? rule.codes.join(', ') : '';
      expect(page).toContain(`| ${rule.when} | ${codes} | ${rule.outcome} | ${rule.credentials} | ${rule.sentence} |`);
    }
  });
});
