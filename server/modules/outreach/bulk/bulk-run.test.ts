import { describe, expect, test } from 'vitest';
import { fillRow } from './bulk-ledger.ts';
import { delayAllowance, edit, pause, resume, start, stop } from './bulk-run.ts';
import type { BulkRunRow } from './bulk-run.ts';

const now = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);

const draft: BulkRunRow = {
  account_id: 1,
  id: 2,
  project_id: 3,
  name: 'customers.csv',
  message: 'Hi {name}',
  media: null,
  template: null,
  delay_ms: 1000,
  status: 'draft',
  waiting_for: null,
  waiting_until: null,
  columns: ['name'],
  upload_number: 1,
  is_uploading: false,
  stored_bytes: 10,
  fed_until: 0,
  last_fed_at: null,
  total_count: 10,
  queued_count: 0,
  sent_count: 0,
  failed_count: 0,
  skipped_count: 2,
  created_at: now,
  updated_at: now,
  started_at: null,
  finished_at: null,
};
const running: BulkRunRow = { ...draft, status: 'running', queued_count: 1, sent_count: 3, failed_count: 1 };

describe('how many rows the delay lets go', () => {
  test.each<[string, number, Date | null, number, Date]>([
    ['the first at once', 1000, null, 1, now],
    ['none before it is over', 1000, ago(999), 0, ago(999)],
    ['one once it is', 1000, ago(1000), 1, now],
    ['a late one makes up for nothing', 1000, ago(60_000), 1, now],
    ['a late one of less than a second neither', 400, ago(700), 1, now],
    ['short delays go together', 100, ago(350), 3, ago(50)],
    ['a second of them at the most', 100, ago(60_000), 10, now],
    ['a clock that was put back waits', 1000, new Date(now.getTime() + 5000), 0, now],
  ])('%s', (_case, delay_ms, last_fed_at, count, lastFedAt) => {
    expect(delayAllowance({ delay_ms, last_fed_at }, now)).toMatchObject({ count, lastFedAt });
  });

  test('without a delay all of them', () => {
    expect(delayAllowance({ delay_ms: 0, last_fed_at: ago(1) }, now).count).toBe(Infinity);
  });
});

describe('a run', () => {
  test.each<[string, () => unknown, object | string]>([
    ['a draft is started', () => start(draft, now), { status: 'running', started_at: now }],
    ['not twice', () => start(running, now), 'bulk_run_started'],
    ['not amid an upload', () => start({ ...draft, is_uploading: true }, now), 'bulk_run_uploading'],
    ['not without a valid number', () => start({ ...draft, skipped_count: 10 }, now), 'bulk_run_empty'],
    ['is paused', () => pause(running), { status: 'paused' }],
    ['a draft is not', () => pause(draft), 'bulk_run_not_running'],
    ['goes on', () => resume({ ...running, status: 'paused' }), { status: 'running' }],
    ['not if it runs', () => resume(running), 'bulk_run_not_paused'],
    ['is stopped: what waits is skipped', () => stop(running, now), { status: 'stopped', skipped_count: 5 }],
    ['so is a paused one', () => stop({ ...running, status: 'paused' }, now), { status: 'stopped' }],
    ['not once it is over', () => stop({ ...running, status: 'completed' }, now), 'bulk_run_not_running'],
    ['is renamed at any time', () => edit(running, { name: 'x', message: running.message }), { name: 'x' }],
    ['its text is fixed by then', () => edit(running, { message: 'Other' }), 'bulk_run_started'],
    ['a draft has its delay changed', () => edit(draft, { delay_ms: 0 }), { delay_ms: 0 }],
  ])('%s', (_case, act, outcome) => {
    if (typeof outcome === 'object') expect(act()).toMatchObject(outcome);
    else expect(act).toThrow(expect.objectContaining({ code: outcome }));
  });
});

test('every column of the file is a placeholder, in any capitals', () => {
  const fields = { name: 'Ada', 'order no': '17', shop: '' };
  expect(fillRow('{Name} {Order No} {shop|your shop} {constructor}{missing}.', fields)).toBe('Ada 17 your shop .');
});
