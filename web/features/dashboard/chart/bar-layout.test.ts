import { expect, test } from 'vitest';
import { axisScale } from './axis-scale.ts';
import { highestBar, layOutDay } from './bar-layout.ts';

const day = { date: '2026-11-18', sent: 500, delivered: 400, failed: 100, received: 250 };
const plot = { width: 1400, height: 200, scale: axisScale(1000) };

test('failed stands on sent, delivered stands within sent, received beside it', () => {
  const layout = layOutDay(day, { index: 1, of: 14 }, plot);
  expect(layout.column).toEqual({ x: 100, width: 100 });
  expect(layout.sent).toMatchObject({ y: 100, height: 100, width: 16 });
  expect(layout.delivered).toMatchObject({ x: layout.sent.x, y: 120, height: 80 });
  expect(layout.failed).toMatchObject({ x: layout.sent.x, y: 79, height: 20 });
  expect(layout.received).toMatchObject({ x: layout.sent.x + 19, y: 150, height: 50, width: 6 });
});

test('a single message among many is visible, zero is not', () => {
  const few = layOutDay({ ...day, failed: 1, received: 0 }, { index: 0, of: 14 }, plot);
  expect([few.failed.height, few.received.height]).toEqual([2, 0]);
  const alone = layOutDay({ ...day, sent: 0, delivered: 0 }, { index: 0, of: 14 }, plot);
  expect(alone.failed).toMatchObject({ y: 180, height: 20 });
});

test('narrow columns have narrow bars inside them', () => {
  const { column, sent, received } = layOutDay(day, { index: 13, of: 14 }, { ...plot, width: 280 });
  expect(sent.x).toBeGreaterThan(column.x);
  expect(received.x + received.width).toBeLessThan(column.x + column.width);
});

test('the highest bar is of what went out, or of what came in', () => {
  expect(highestBar([day])).toBe(600);
  expect(highestBar([{ ...day, received: 900 }, day])).toBe(900);
  expect(highestBar([])).toBe(0);
});
