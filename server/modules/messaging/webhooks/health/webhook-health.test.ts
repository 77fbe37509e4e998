import { expect, test } from 'vitest';
import { webhookHealth } from './webhook-health.ts';
import type { Delivery } from './webhook-health.ts';

let hour = 23;
/** Each is an hour older than the one before. */
function deliveries(...parts: Partial<Delivery>[]): Delivery[] {
  hour = 23;
  return parts.map((part) => ({
    status: 'success',
    error: null,
    attempts: 1,
    created_at: new Date(Date.UTC(2026, 10, 21, hour--)),
    ...part,
  }));
}

const untried = { status: 'pending', attempts: 0 } as const;
const retrying = { status: 'pending', attempts: 2, error: 'HTTP 500' } as const;
const firstRetry = { ...retrying, attempts: 1 };
const failed = { status: 'failed', attempts: 8, error: 'Timed out' } as const;
const success = {};

test.each<[string, Partial<Delivery>[]]>([
  ['no deliveries', []],
  ['nothing tried yet', [untried, untried]],
  ['a success', [success, failed, failed]],
  ['a success below what waits', [untried, success, failed]],
  ['a first attempt that failed', [firstRetry, success]],
  ['a delivery asked for again', [{ ...retrying, error: null }, success]],
])('%s: all is well', (_name, parts) => {
  expect(webhookHealth(deliveries(...parts))).toMatchObject({ is_failing: false, failures: 0, error: null });
});

test.each<[string, Partial<Delivery>[], number, string, number]>([
  ['a second attempt failed', [retrying, success], 1, 'HTTP 500', 23],
  ['two deliveries failed at first', [firstRetry, firstRetry, success], 2, 'HTTP 500', 22],
  ['one was given up', [untried, failed, success], 1, 'Timed out', 22],
  ['many in a row', [retrying, failed, failed, failed], 4, 'HTTP 500', 20],
])('%s: it is failing', (_name, parts, failures, error, since) => {
  expect(webhookHealth(deliveries(...parts))).toEqual({
    is_failing: true,
    failures,
    error,
    failing_since: `2026-11-21T${since}:00:00.000Z`,
  });
});
