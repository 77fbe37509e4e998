import { expect, test } from 'vitest';
import { formatInZone } from './format-in-zone.ts';

test("names the zone that is not the reader's own", () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const other = own === 'Asia/Tokyo' ? 'Asia/Seoul' : 'Asia/Tokyo';
  expect(formatInZone('2026-11-24T09:00:00.000Z', other)).toBe(`24 Nov 2026, 18:00 (${other})`);
  expect(formatInZone('2026-11-24T09:00:00.000Z', own)).not.toContain('(');
});
