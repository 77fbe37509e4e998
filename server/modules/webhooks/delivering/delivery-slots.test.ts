import { describe, expect, test } from 'vitest';
import { createDeliverySlots } from './delivery-slots.ts';
import type { DeliverySlots } from './delivery-slots.ts';

const project = (projectId: number) => ({ accountId: 1, projectId });
const projects = (count: number) => Array.from({ length: count }, (_, index) => project(index + 1));
const slotsOf = (slots: DeliverySlots, projectId: number, now: number) =>
  slots.grant([project(projectId)], now)[0]?.slots ?? 0;

function endWith(slots: DeliverySlots, projectId: number, results: boolean[]): void {
  for (const succeeded of results) slots.begin(project(projectId), 0)(succeeded);
}

describe('a project', () => {
  test('starts small and grows with every success, up to a bound', () => {
    const slots = createDeliverySlots();
    expect(slotsOf(slots, 1, 0)).toBe(2);
    const open = slots.begin(project(1), 0);
    endWith(slots, 1, [true, true, true]);
    expect(slotsOf(slots, 1, 0)).toBe(4);
    endWith(slots, 1, Array(40).fill(true));
    expect(slotsOf(slots, 1, 0)).toBe(19);
    open(true);
  });

  test('falls to one attempt at a time while it fails, and recovers', () => {
    const slots = createDeliverySlots();
    endWith(slots, 1, [false, false]);
    expect(slotsOf(slots, 1, 0)).toBe(1);
    const probe = slots.begin(project(1), 0);
    expect(slotsOf(slots, 1, 0)).toBe(0);
    probe(true);
    expect(slotsOf(slots, 1, 0)).toBe(2);
  });
});

describe('many projects', () => {
  test('share what is free in equal parts, in their order', () => {
    const slots = createDeliverySlots();
    expect(slots.grant(projects(3), 0).map((grant) => grant.slots)).toEqual([2, 2, 2]);
    const grants = slots.grant(projects(300), 0);
    expect(grants).toHaveLength(200);
    expect(grants.every((grant) => grant.slots === 1)).toBe(true);
  });

  test('are not held back by endpoints that hang', () => {
    const slots = createDeliverySlots();
    for (const hanging of projects(100)) {
      slots.begin(hanging, 0);
      slots.begin(hanging, 0);
    }
    expect(slotsOf(slots, 999, 500)).toBe(0);
    expect(slotsOf(slots, 999, 1000)).toBe(2);
  });

  test('are not held back by endpoints that are known to fail', () => {
    const slots = createDeliverySlots();
    for (const failing of projects(200)) {
      endWith(slots, failing.projectId, [false]);
      slots.begin(failing, 0);
    }
    expect(slotsOf(slots, 999, 0)).toBe(2);
    endWith(slots, 1000, [false]);
    expect(slotsOf(slots, 1000, 0)).toBe(0);
  });

  test('have a bound all together', () => {
    const slots = createDeliverySlots();
    for (const hanging of projects(1000)) slots.begin(hanging, 0);
    expect(slotsOf(slots, 2000, 5000)).toBe(0);
  });
});
